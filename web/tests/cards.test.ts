// The shape of cards in the style sheet and in the drawing.
import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import CardFace from '$lib/cards/CardFace.svelte';
import { following } from './fixtures';

it('the ratio of cards in the style sheet is the ratio of the drawn face', () => {
  const [, width, height] =
    /--card-ratio: calc\((\d+) \/ (\d+)\)/.exec(readFileSync('src/app.css', 'utf8')) ?? [];
  const { container } = render(CardFace, { card: 'Ac', deck: following.facts.deck });
  expect(container.querySelector('svg')?.getAttribute('viewBox')).toBe(`0 0 ${width} ${height}`);
});
