import type { TestGame } from '../../server/test/harness.ts';
import { nextWeekend } from '../src/pages/remote-config/schedules/next-weekend.ts';
import { momentOf } from '../src/ui/time/zoned-time.ts';
import { gamePath, openStage } from './browser.ts';
import type { Stage, Visit } from './browser.ts';

const ZONE = 'UTC';

/**
 * A server and a browser for tests of the config page. Tests set the server's clock, and can make a game that
 * has a config.
 */
export interface ConfigStage {
  stage: Stage;
  /** The time of the server, which a test may set. */
  time: { now: number };
  makeGame(parameters: object): Promise<TestGame>;
  /** Opens the config as a developer with a new token, because old tokens end when tests move the time. */
  visit(game: TestGame, width?: number): Promise<Visit>;
  /** Returns the config that a player gets. */
  play(game: TestGame): Promise<Record<string, unknown>>;
}

export async function openConfigStage(): Promise<ConfigStage> {
  const time = { now: Date.now() };
  const stage = await openStage({ clock: () => new Date(time.now) });
  return {
    stage,
    time,
    async makeGame(parameters) {
      const game = await stage.server.makeGame();
      const { token } = await stage.server.makeAccount({ game_id: game.game_id });
      const path = `/v1/games/${game.game_id}/config`;
      await stage.server.request('PUT', path, { token, body: { parameters } });
      return game;
    },
    async visit(game, width) {
      const { game_id } = game;
      const { token } = await stage.server.makeAccount({ game_id, role: 'developer' });
      return stage.visit(gamePath(game, 'config'), { token, width });
    },
    async play({ production_key: key }) {
      return (await stage.server.request('GET', '/v1/config', { key })).body.config;
    },
  };
}

/** Returns the start and the end of the weekend that the page suggests. */
export function weekend(): [start: number, end: number] {
  const { start, end } = nextWeekend(Date.now(), ZONE);
  return [Date.parse(momentOf(start, ZONE)!), Date.parse(momentOf(end, ZONE)!)];
}
