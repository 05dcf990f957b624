// Tests that the guide page and the rules page show the same table of rule sets.
import { LOCALES, sampled } from './support/sample';
import { expect, test } from './support/test';

for (const locale of sampled(LOCALES, 'guide')) {
  test(`${locale}: the guide compares the rule sets as the page of the rules does`, async ({ somebody }) => {
    const page = await (await somebody({ locale })).newPage();
    const tables: string[][] = [];
    for (const path of ['/rules', '/guide']) {
      await page.goto(path);
      const table = page.getByTestId('rule-sets');
      await expect(table.locator('tbody tr')).toHaveCount(6);
      tables.push(await table.locator('th, td').allTextContents());
    }
    const [rules, guide] = tables.map((cells) => cells.map((cell) => cell.trim()));
    expect(guide).toHaveLength(42);
    expect(guide).toEqual(rules);
  });
}
