// Runs the real server for the browser tests, with its own database folder.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BINARY = process.env.OVERMATE_BINARY;

/** Returns the path of the `overmate` binary under test. */
function binary(): string {
  if (!BINARY) throw new Error('OVERMATE_BINARY is not set: run `cargo xtask test --only browser`');
  return BINARY;
}

export class Server {
  #child: ChildProcess | null = null;
  #data = mkdtempSync(join(tmpdir(), 'overmate-browser-'));
  /** Origin of the server under test: its URL without a path. */
  url = '';
  /** URL of the server's metrics; empty without the option `--metrics`. */
  metrics = '';

  /**
   * Starts the server under test, with additional options. After an earlier start, the address and the database stay
   * the same.
   */
  async start(more: string[] = []): Promise<void> {
    const listen = this.url ? new URL(this.url).host : '127.0.0.1:0';
    const push = ['--push-contact', 'mailto:admin@mate.example'];
    const args = ['serve', '--listen', listen, '--no-limits', '--data', this.#data, ...push, ...more];
    const child = spawn(binary(), args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, RUST_LOG: 'warn' }
    });
    this.#child = child;
    const wanted = more.includes('--metrics') ? 2 : 1;
    const lines = new Promise<string[]>((resolve, reject) => {
      const read: string[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (read.push(line) === wanted) resolve(read);
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    [this.url = '', this.metrics = ''] = await lines;
  }

  /** Runs `overmate admin` on the database of the server under test. */
  admin(args: string[]): string {
    return overmate(['admin', '--data', this.#data, ...args], '');
  }

  /**
   * Changes the server's database, so that the queued e-mails about turns are due immediately. Without this change they
   * would be due after ten minutes. A Python program changes the database, because Node 20 has no SQLite of its own.
   */
  makeMailDue(): void {
    const update = "UPDATE leases SET until = 0 WHERE name LIKE 'mail:%'";
    const code = `import sqlite3, sys; c = sqlite3.connect(sys.argv[1], 10); n = c.execute("${update}").rowcount; c.commit(); sys.exit(n != 1)`;
    const { status, stderr } = spawnSync('python3', ['-c', code, join(this.#data, 'overmate.sqlite')], {
      encoding: 'utf8'
    });
    if (status !== 0) throw new Error(`no e-mail waits: ${stderr}`);
  }

  /** Kills the server process immediately, like a power failure. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Stops the server and deletes its database. */
  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }
}

/** Runs the `overmate` binary with a text as standard input, and returns the standard output. */
export function overmate(args: string[], input: string): string {
  const { status, stdout, stderr } = spawnSync(binary(), args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`overmate ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}
