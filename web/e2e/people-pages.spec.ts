// Tests, in German, the pages and situations that need an account or another player: accessibility, width, and
// untranslated sentences.
import { people } from './support/people';
import { test } from './support/test';
import { holdsGerman, holdsWcag } from './support/wcag';

for (const [name, show] of Object.entries(people)) {
  test(`${name}: accessible, in German, and no wider than the window`, async ({ somebody, watch }) => {
    // A test whose name contains `e-mail` starts a server of its own, and requests to this server must not count as
    // requests to third parties.
    if (name.includes('e-mail')) watch.allow(/third party: \w+:\/\/localhost:/);
    const context = await somebody({ locale: 'de-DE', colorScheme: 'light' });
    const page = await context.newPage();
    const ends: (() => Promise<void>)[] = [];
    try {
      await show({ page, context, somebody, after: (end) => ends.push(end) });
      await holdsGerman(page, name);
      await holdsWcag(page, name);
    } finally {
      await page.close();
      for (const end of ends) await end();
    }
  });
}
