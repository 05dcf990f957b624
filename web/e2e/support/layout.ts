// Finds layout faults of the shown page: important elements that are invisible, too small, covered or cut.

/**
 * Expected layout of a page: whether the whole game table must be visible, and the minimum width and height of a
 * board cell in CSS pixels.
 */
export interface Expected {
  table: boolean;
  card: number;
  high: number;
}

/**
 * Returns descriptions of the layout faults of the shown page. The browser runs the function inside the page, so that
 * it can use no other function of this file.
 */
export function layoutFaults({ table, card, high }: Expected): string[] {
  const found = new Set<string>();
  const { scrollWidth, clientWidth, clientHeight } = document.documentElement;
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1
    );
    found.add(`the page is ${scrollWidth} wide: ${wide.at(-1)?.outerHTML.slice(0, 80)}`);
  }
  if (table && document.documentElement.scrollHeight > clientHeight) found.add('the table scrolls');
  const name = (element: Element) =>
    element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? element.tagName;
  const inside = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left >= -1 && top >= -1 && right <= clientWidth + 1 && bottom <= clientHeight + 1;
  };
  const covering = document.querySelector('[data-testid="result"]');
  for (const button of document.querySelectorAll('button[data-card][aria-disabled="false"]')) {
    if (!table) button.scrollIntoView({ block: 'center' });
    if (!inside(button)) found.add(`${name(button)} is not wholly in the window`);
    const { left, top, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!covering && hit?.closest('[data-card]') !== button) found.add(`${name(button)} is covered`);
  }
  for (const cell of document.querySelectorAll('[role="gridcell"]')) {
    if (!cell.checkVisibility()) continue;
    const { width, height } = cell.getBoundingClientRect();
    if (width < card || height < high)
      found.add(`${name(cell)} is ${width} × ${height}, and ${card} × ${high} are wanted`);
    if (width < 40) found.add(`${name(cell)} is narrower than a finger`);
  }
  // Values and seals (marks with points) do not cover the rank and the suit of their card, nor the sign of two identical
  // cards. The large suit repeats the small one where both are shown.
  for (const sign of document.querySelectorAll('[data-card] :is(.tab, .seal, .copies)')) {
    const over = sign.getBoundingClientRect();
    const face = sign.closest('[data-card]');
    const small = face?.querySelector('.index .glyph')?.getBoundingClientRect().width ?? 0;
    const parts = small > 0 ? '.index, .copies' : '.index, .large, .copies';
    for (const part of face?.querySelectorAll(parts) ?? []) {
      if (part === sign) continue;
      const range = document.createRange();
      range.selectNodeContents(part);
      for (const { left, right, top, bottom } of range.getClientRects()) {
        const [wide, high] = [
          Math.min(right, over.right) - Math.max(left, over.left),
          Math.min(bottom, over.bottom) - Math.max(top, over.top)
        ];
        if (wide > 2 && high > 2)
          found.add(
            `${sign.className} covers ${Math.round(wide)} × ${Math.round(high)} of ${part.className}`
          );
      }
    }
  }
  // A long name may be cut, but some of its letters stay visible.
  for (const shown of document.querySelectorAll('.player .name'))
    if (shown.clientWidth < Math.min(shown.scrollWidth, 48))
      found.add(`the name ${name(shown)} has ${shown.clientWidth} pixels`);
  const important = '[data-testid="dock"], [data-testid="stake"], [data-testid="dock"] .button';
  for (const element of table ? document.querySelectorAll(important) : [])
    if (!inside(element)) found.add(`${name(element)} is below the fold`);
  for (const button of document.querySelectorAll('button:not([data-card]), a.button, select, summary')) {
    const { height, width } = button.getBoundingClientRect();
    if (width === 0 || button.closest('.visually-hidden')) continue;
    if (height < 43.5) found.add(`the button ${name(button)} is ${height} high`);
  }

  for (const select of document.querySelectorAll('select')) {
    if (!select.checkVisibility() || getComputedStyle(select).textOverflow === 'ellipsis') continue;
    // The text of the chosen option is cut if the selection field is narrower than this text needs. A copy of the field
    // with only this option measures the needed width.
    const copy = select.cloneNode() as HTMLSelectElement;
    copy.append(...[...select.selectedOptions].map((option) => option.cloneNode(true)));
    copy.style.inlineSize = 'max-content';
    select.after(copy);
    if (copy.offsetWidth > select.offsetWidth + 1) found.add(`the choice ${copy.textContent.trim()} is cut`);
    copy.remove();
  }

  const written: { box: DOMRect; section: Element; words: string }[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const holder = text.parentElement;
    if (!text.textContent?.trim() || !holder?.checkVisibility()) continue;
    if (holder.closest('.visually-hidden, #svelte-announcer, script, style, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, top, bottom, width } = range.getBoundingClientRect();
    if (width === 0) continue;
    // A text in a section at the top of the game table must not extend into another section.
    const section = holder.closest('.player, .stake, .track, .head');
    const isHidden = Number(getComputedStyle(holder).opacity) === 0 || holder.closest('.phrase');
    const cut = holder.closest('[title]')?.closest('h2, .what, .by') ?? null;
    if (section && !isHidden && !cut && getComputedStyle(holder).clipPath === 'none')
      for (const line of range.getClientRects())
        written.push({ box: line, section, words: text.textContent.trim().slice(0, 40) });
    // A seal (mark with points) extends beyond the edge of its card.
    const boxes = holder.closest('.seal') ? null : 'button, .button, [role="gridcell"]';
    let scrolls = false;
    for (let around: Element | null = holder; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      // Text that extends beyond the edge of a scrollable element is no fault, because the reader can scroll to the
      // rest of the text.
      scrolls = [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll');
      if (scrolls) break;
      const box = around.getBoundingClientRect();
      const isBox = boxes !== null && around.matches(boxes);
      const wide = (isBox || overflowX !== 'visible') && (left < box.left - 2 || right > box.right + 2);
      const high = overflowY !== 'visible' && (top < box.top - 4 || bottom > box.bottom + 4);
      // Text that extends beyond the edge of an element is a fault, unless an enclosing element has a `title` attribute
      // for the whole text.
      if ((wide || high) && !holder.closest('[title]'))
        found.add(`the text ${text.textContent.trim().slice(0, 40)} is cut by ${around.className}`);
    }
    if (!scrolls && (left < -1 || right > clientWidth + 1))
      found.add(`the text ${text.textContent.trim().slice(0, 40)} is not wholly in the window`);
  }
  for (const { box, section, words } of written) {
    for (const other of document.querySelectorAll('.player, .stake, .track, .head')) {
      if (other === section || other.contains(section)) continue;
      const { left, right, top, bottom } = other.getBoundingClientRect();
      const [wide, high] = [
        Math.min(box.right, right) - Math.max(box.left, left),
        Math.min(box.bottom, bottom) - Math.max(box.top, top)
      ];
      if (wide > 2 && high > 2) found.add(`the text ${words} runs into ${other.className}`);
    }
  }
  return [...found];
}

/**
 * Returns descriptions of the important parts of the game table that are not wholly visible. Such a part is outside of
 * the window, scrolled or cut away, or under another element. Important are the board, the present move, the multiplier, the
 * points, the sentence, and the buttons. The browser runs the function inside the page, so that it can use no other
 * function of this file.
 */
export function hiddenFaults(): string[] {
  const found = new Set<string>();
  const { clientWidth, clientHeight } = document.documentElement;
  const covering = document.querySelector('[data-testid="result"]');
  const all = (selector: string) =>
    [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  /** Returns the size of the part of `box` that neither the window nor an ancestor of `element` cuts off. */
  const left = (element: Element, box: DOMRect) => {
    let [x, y, right, bottom] = [
      Math.max(box.left, 0),
      Math.max(box.top, 0),
      Math.min(box.right, clientWidth),
      Math.min(box.bottom, clientHeight)
    ];
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      if (overflowX !== 'visible') [x, right] = [Math.max(x, edge.left), Math.min(right, edge.right)];
      if (overflowY !== 'visible') [y, bottom] = [Math.max(y, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { wide: right - x, high: bottom - y };
  };
  const check = (name: string, element: Element, box: DOMRect) => {
    if (box.width === 0 || box.height === 0) return;
    const { wide, high } = left(element, box);
    if (wide < box.width - 1.5 || high < box.height - 1.5)
      found.add(`${name} is visible in ${Math.round(wide)} × ${Math.round(high)} of its pixels`);
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    const over = hit && !element.contains(hit) && !hit.contains(element) ? hit : null;
    if (over && !(covering && covering.contains(over)))
      found.add(`${name} is under ${over.className || over.tagName}`);
  };
  /**
   * Checks that each line of an element's text is visible. The box of the whole element is unsuitable, because the box
   * may be larger than the text.
   */
  const checkTexts = (name: string, element: Element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const holder = text.parentElement;
      if (!text.textContent?.trim() || !holder || holder.closest('.visually-hidden')) continue;
      // A long name may be cut if the `title` attribute contains the whole name.
      if (holder.closest('th[title]')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const line of range.getClientRects()) check(`${name} (${text.textContent.trim()})`, holder, line);
    }
  };

  const texts = {
    'the sentence': '[data-testid="status"]',
    'the computation': '.sum',
    'the multiplier': '.stake strong, .stake .reason',
    'a total': '.player .total',
    'the score': '[data-testid="score"]'
  };
  for (const [name, selector] of Object.entries(texts))
    for (const element of all(selector)) checkTexts(name, element);
  const boxes = {
    'the multiplier': '[data-testid="stake"]',
    'a cell': '[role="gridcell"]',
    'the track': '[data-testid="track"]',
    'a move': '[data-testid="track"] > li',
    'a button': '[data-testid="dock"] .button'
  };
  for (const [name, selector] of Object.entries(boxes))
    for (const element of all(selector))
      check(
        `${name} (${element.textContent?.trim().slice(0, 30)})`,
        element,
        element.getBoundingClientRect()
      );

  for (const name of ['stake', 'status', 'track', 'board'])
    if (all(`[data-testid="${name}"]`).length === 0) found.add(`the ${name} is not shown`);
  for (const factor of all('[data-testid="track"] .factor')) {
    const { width, height } = factor.getBoundingClientRect();
    const move = factor.closest('li')?.getBoundingClientRect();
    if (!move || width > move.width || height > move.height + 2)
      found.add(`the multiplier ${factor.textContent} of a move is cut`);
    const size = parseFloat(getComputedStyle(factor).fontSize);
    if (size < 10.8) found.add(`the multiplier ${factor.textContent} of a move is ${size} pixels high`);
  }
  const moves = document.querySelectorAll('[data-testid="track"] > li').length;
  const factors = all('[data-testid="track"] .factor').length;
  if (factors !== moves) found.add(`${factors} of ${moves} moves have a visible multiplier`);
  const screen = document.querySelector('.screen');
  if (screen && screen.scrollHeight > screen.clientHeight + 1)
    found.add(`the table is ${screen.scrollHeight} high in ${screen.clientHeight}`);
  return [...found];
}

/**
 * Returns descriptions of the cards with undersized touch targets: narrower than `wide` or lower than `high`, in CSS
 * pixels. A touch target may be larger than the visible card. The browser runs the function inside the page, so that it
 * can use no other function of this file.
 */
export function touchFaults({ wide, high }: { wide: number; high: number }): string[] {
  const found = new Set<string>();
  if (document.querySelector('[data-testid="result"]')) return [];
  for (const button of document.querySelectorAll('button[data-card]')) {
    button.scrollIntoView({ block: 'nearest' });
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    /**
     * Returns the distance, at most 60 pixels, from a button's centre to the edge of its touch target in a given
     * direction.
     */
    const reach = (right: number, down: number) => {
      let pixels = 0;
      const hits = (at: number) =>
        document.elementFromPoint(x + at * right, y + at * down)?.closest('button');
      while (pixels < 60 && hits(pixels + 1) === button) pixels += 1;
      return pixels;
    };
    const area = [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1] as const;
    if (area[0] < wide || area[1] < high)
      found.add(`${button.getAttribute('aria-label')} is touched in ${area[0]} × ${area[1]} pixels`);
  }
  return [...found];
}
