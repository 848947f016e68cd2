import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestDatabase } from '../scripts/test/database.js';
import type { KilledPlace } from '../packages/server/src/features/event-export/test/kill-exports.ts';
import type { StorePlace } from '../packages/server/src/platform/stores/store-place.ts';
import { makeFolder } from './machine/folder.ts';
import type { Report, Suite } from './suite.ts';

export const kills: Suite = {
  name: 'kills',
  summary: 'kills backups, exports and applies, and looks for half of a file or of a change',
  options: {
    kills: { default: 200, meaning: 'SIGKILLs of working processes, a fifth for each target' },
  },
  async run(options, report) {
    await using database = await startTestDatabase();
    Object.assign(process.env, database.env);
    await attackWorkByKills(report, options.kills!);
  },
};

/** A kind of work whose processes are killed. It throws if half of the work is found. */
interface Target {
  name: string;
  /** @returns figures of the attack by their names. */
  attack(kills: number): Promise<Record<string, number>>;
}

/** Kills processes at random moments of their work, in equal parts for each kind. */
export async function attackWorkByKills(report: Report, count: number): Promise<void> {
  await using folder = await makeFolder();
  const targets = await listTargets(folder.path);
  let done = 0;
  for (const [index, { name, attack }] of targets.entries()) {
    const its =
      Math.floor(((index + 1) * count) / targets.length) -
      Math.floor((index * count) / targets.length);
    if (its === 0) continue;
    try {
      const figures = await attack(its);
      done += its;
      for (const [figure, value] of Object.entries(figures)) {
        report.figure(`${name}: ${figure}`, value);
      }
      report.say(`${name}: ${its} kills, nothing is there by half`);
    } catch (error) {
      report.violation(`${name}: ${(error as Error).stack}`);
    }
  }
  report.figure('SIGKILLs of working processes', done);
  const verdict = 'no file that looks whole and is not, nothing half applied';
  if (done === count) report.say(`${done} kills: ${verdict}`);
  else report.violation(`only ${done} of ${count} kills left everything whole`);
}

async function listTargets(folder: string): Promise<Target[]> {
  // The harness reads the URL of the database from the environment when it is loaded.
  const { startTestServer } = await import('../packages/server/test/harness.ts');
  const { startS3Server } = await import('../packages/server/test/s3-server.ts');
  const { fillForBackups, killBackups } =
    await import('../packages/server/src/features/backups/test/kill-backups.ts');
  const { inBucket, inFolder, killExports } =
    await import('../packages/server/src/features/event-export/test/kill-exports.ts');
  const { killApplies } =
    await import('../packages/server/src/features/definitions/test/kill-applies.ts');

  const makeFolderIn = () => mkdtemp(join(folder, 'place-'));
  const attackBackups = async (to: StorePlace, env: Record<string, string>, count: number) => {
    await using server = await startTestServer();
    await fillForBackups(server);
    const { files } = await killBackups(server, { to, env, data_dir: await makeFolderIn() }, count);
    return { 'files read whole': files };
  };
  const attackExports = async (place: KilledPlace, count: number) => {
    const { interrupted, files, events } = await killExports(place, count);
    return {
      'kills in the middle of a file': interrupted,
      'files read whole at the end': files,
      'events, each in one file': events,
    };
  };
  return [
    {
      name: 'backups to a folder',
      async attack(count) {
        const to = await makeFolderIn();
        return attackBackups({ folder: to }, { BACKUP_TO: to }, count);
      },
    },
    {
      name: 'backups to a bucket',
      async attack(count) {
        await using s3 = await startS3Server();
        return await attackBackups(s3.place, s3.env, count);
      },
    },
    {
      name: 'exports to a folder',
      attack: async (count) => attackExports(inFolder(await makeFolderIn()), count),
    },
    {
      name: 'exports to a bucket',
      async attack(count) {
        await using s3 = await startS3Server();
        return await attackExports(inBucket(s3), count);
      },
    },
    {
      name: 'applies',
      async attack(count) {
        const { unanswered, applied } = await killApplies(count);
        return { 'kills before the answer': unanswered, 'wholly applied': applied };
      },
    },
  ];
}
