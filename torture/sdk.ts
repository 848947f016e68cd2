import { findFreePort } from '../packages/server/test/free-port.ts';
import { attackClients } from './sdk/attack.ts';
import { makeFolder } from './machine/folder.ts';
import type { Suite } from './suite.ts';

export const sdk: Suite = {
  name: 'sdk',
  summary:
    'kills network, server and game at random, and looks for every event and save of the SDK',
  options: {
    rounds: { default: 1_000, meaning: 'blows' },
    within: { default: 3_600, meaning: 'seconds after which no more blow follows' },
    seed: { default: 1, meaning: 'of all that is random' },
  },
  async run({ rounds, within, seed }, report) {
    await using folder = await makeFolder();
    await attackClients(report, {
      rounds: rounds!,
      within_seconds: within!,
      seed: seed!,
      server: { port: await findFreePort(), data_dir: folder.path },
      chromium_path: process.env.CHROMIUM_PATH || null,
    });
  },
};
