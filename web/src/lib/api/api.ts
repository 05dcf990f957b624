// placeholder client until the schema is generated
import type { MatchState, RuleFacts, RuleSets } from './types';
import { Problem, problemIn } from './problem';

async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal
    });
  } catch (thrown) {
    throw new Problem('offline', thrown instanceof Error ? thrown.message : 'offline');
  }
  const json: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemIn(json, response.status);
  return json as T;
}
export const readMatch = (
  id: string,
  watch: string | null,
  wait?: { after: number | undefined; wait: number; signal: AbortSignal }
) => {
  const query = new URLSearchParams();
  if (watch) query.set('watch', watch);
  if (wait?.after !== undefined) {
    query.set('after', String(wait.after));
    query.set('wait', String(wait.wait));
  }
  return request<MatchState>('GET', `/matches/${id}?${query}`, undefined, wait?.signal);
};
export const actOn = (id: string, action: { sequence: number; action: string; client_id: string }) =>
  request<MatchState>('POST', `/matches/${id}/actions`, action);
export const ruleFacts = (id: string) => request<RuleFacts>('GET', `/rules/${encodeURIComponent(id)}`);
export const rules = () => request<{ rule_sets: RuleFacts[]; variations: RuleSets[] }>('GET', '/rules');
const once = () => ({ client_id: crypto.randomUUID() });
export const resign = (id: string) => request<MatchState>('POST', `/matches/${id}/resign`, once());
export const undo = (id: string) => request<MatchState>('POST', `/matches/${id}/undo`, once());
export const rematch = (id: string) => request<MatchState>('POST', `/matches/${id}/rematch`, once());
export const hint = (id: string) => request<Hint>('POST', `/matches/${id}/hint`, once());
export const watchedMatch = (token: string) => request<MatchState>('GET', `/watch/${token}`);
export const invitation = (token: string) => request<Invitation>('GET', `/invitations/${token}`);
export const join = (token: string) => request<MatchState>('POST', `/invitations/${token}`);
export const createMatch = (match: NewMatch) => request<MatchState>('POST', '/matches', match);
export const myMatches = () => request<{ matches: MatchSummary[] }>('GET', '/matches');
export const recordAddress = (id: string, watch: string | null) =>
  `/api/v1/matches/${id}/record${watch ? `?watch=${watch}` : ''}`;
import type { Hint, Invitation, MatchSummary, NewMatch } from './types';
import type { Analysis, AnalysisRequest, Review } from './types';
export const review = (id: string, game: number, watch: string | null) =>
  request<Review>('GET', `/matches/${id}/review?game=${game}${watch ? `&watch=${watch}` : ''}`);
export const analyse = (what: AnalysisRequest, signal?: AbortSignal) => request<Analysis>('POST', '/analysis', what, signal);
