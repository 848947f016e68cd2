import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { gamePath, until } from './browser.ts';
import type { Visit, VisitOptions } from './browser.ts';
import { openGameStage } from './game-stage.ts';
import type { GameStage } from './game-stage.ts';

const DAY_MS = 86_400_000;
/** The events of the STORY begin ten days ago, so all days of its week are over. */
const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;
export const dayOf = (number: number) =>
  new Date(start + number * DAY_MS).toISOString().slice(0, 10);
export const nameOf = (number: number) =>
  new Date(start + number * DAY_MS).toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
/** The query string for the week in which the story happens. */
export const DAYS = `from=${dayOf(0)}&to=${dayOf(6)}`;

type Row = [
  day: number,
  second: number,
  player_id: string,
  event_name: string,
  properties?: object,
];

const play = (day: number, player: string, seconds: number): Row[] => [
  [day, 0, player, 'session_start', { country: player < 'c' ? 'DE' : 'US' }],
  [day, seconds, player, 'session_end'],
];

/** Four players come on day 0, three of these come again on day 1, and one of these on day 3. */
const STORY: Row[] = [
  ...play(0, 'ant', 300),
  ...play(0, 'bee', 300),
  ...play(0, 'cow', 300),
  ...play(0, 'dog', 30),
  ...play(1, 'ant', 300),
  ...play(1, 'bee', 300),
  ...play(1, 'cow', 30),
  ...play(3, 'ant', 3_000),
  [0, 10, 'ant', 'shop_opened'],
  [0, 10, 'bee', 'shop_opened'],
  [0, 10, 'cow', 'shop_opened'],
  [0, 70, 'ant', 'purchase', { item: 'Sword', price: 7 }],
  [0, 190, 'bee', 'purchase', { item: 'Shield', price: 3 }],
  [1, 20, 'ant', 'purchase', { item: 'Sword', price: 5 }],
];

export interface AnalyticsStage extends GameStage {
  /** Opens a page of the game, as its owner by default. */
  open(page: string, options?: VisitOptions): Promise<Visit>;
}

/** Opens a stage with a game whose reports show the story. */
export async function openAnalytics(): Promise<AnalyticsStage> {
  const opened = await openGameStage();
  const { stage, game, owner, send, ask } = opened;
  const body = STORY.map(([day, second, player_id, event_name, properties]) => ({
    event_name,
    player_id,
    session_id: `${player_id} ${day}`,
    properties,
    client_timestamp: new Date(start + day * DAY_MS + DAY_MS / 2 + second * 1000).toISOString(),
  }));
  await send('POST', '/v1/track', body);
  for (const [index, player_id] of ['ant', 'bee', 'cow', 'dog'].entries()) {
    await send('POST', '/v1/identify', { player_id, properties: { level: index * 10 } });
  }
  await send('POST', '/v1/players/bee/tags', { tag: 'vip' });
  await until('the story is counted', async () => {
    const answer = await ask('GET', `analytics/active-players?${DAYS}`);
    return answer.body.days[3].daily === 1;
  });
  return {
    ...opened,
    open: (page, options = {}) =>
      stage.visit(gamePath(game, page), { token: owner.token, ...options }),
  };
}

/** Presses a button that downloads a file, and returns the name and lines of the file. */
export async function download(
  page: Page,
  button: RegExp,
): Promise<{ name: string; lines: string[] }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  return { name: file.suggestedFilename(), lines };
}

/** Chooses one of the suggestions of a field. */
export async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Reads the text of each row of a table. Waits until there is a row below the head. */
export async function rowTexts(page: Page, table: string): Promise<string[]> {
  const region = page.getByRole('region', { name: table });
  await region.getByRole('row').nth(1).waitFor();
  const texts = await region.getByRole('row').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}
