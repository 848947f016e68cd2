import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../packages/server/test/free-port.ts';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { startExternalPostgres } from '../machine/external-postgres.ts';
import { makeFolder } from '../machine/folder.ts';
import { createRandom } from '../random.ts';
import type { Report } from '../suite.ts';
import { Stage } from './stage.ts';

/** Offsets from the true time. The attack sets the clocks of server and database to each, in this order. */
const JUMPS = ['+1h', '-2h', '+45d', '-1d', '+0'];

/** Makes the clocks of server and database jump while the server is under full load. */
export async function attackByClock(
  report: Report,
  { jumps, seed }: { jumps: number; seed: number },
): Promise<void> {
  const library = findLibrary();
  if (library === null) {
    report.figure('clock that jumps', 'not tried: it needs libfaketime (or FAKETIME_LIBRARY)');
    return;
  }
  await using folder = await makeFolder();
  const file = join(folder.path, 'clock');
  const setClock = (offset: string) => writeFileSync(file, `${offset}\n`);
  setClock('+0');
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // Only the wall clock jumps; the clock of timers goes on.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  await using postgres = await startExternalPostgres({ env });
  const settings = {
    port: await findFreePort(),
    data_dir: folder.path,
    env: { DATABASE_URL: postgres.url, ...env },
  };
  await using stage = await Stage.open(report, createRandom(seed), settings);
  for (let number = 0; number < jumps; number++) {
    const jump = JUMPS[number % JUMPS.length]!;
    stage.load.start();
    await sleep(1_500);
    setClock(jump);
    await sleep(1_500);
    await stage.load.pause();
    await expectJump(report, stage, jump);
    await stage.check(`a clock at ${jump}`);
  }
  report.figure('jumps of the clock', jumps);
  report.figure('writes acknowledged around them', stage.acknowledged);
}

function findLibrary(): string | null {
  const named = process.env.FAKETIME_LIBRARY;
  if (named) return existsSync(named) ? named : null;
  return globSync('/usr/lib/*/faketime/libfaketime.so.1')[0] ?? null;
}

/** Checks that the clock did jump, because an attack that does nothing must not pass. */
async function expectJump(report: Report, stage: Stage, jump: string): Promise<void> {
  const { server } = stage;
  const row = await withDatabase(server.connection, (database) =>
    database.queryOne<{ now: string }>(sql`SELECT clock_timestamp() AS now`),
  );
  const [, amount = '0', unit = 's'] = /^([+-]\d+)([hd]?)$/.exec(jump) ?? [];
  const hours = Number(amount) * (unit === 'd' ? 24 : 1);
  const answer = await fetch(`${server.url}/healthz`);
  await answer.arrayBuffer();
  for (const [who, time] of [
    ['database', row!.now],
    ['server', answer.headers.get('date') ?? ''],
  ] as const) {
    const off_s = (Date.parse(time) - Date.now()) / 1_000 - hours * 3_600;
    if (Math.abs(off_s) > 60) report.violation(`the clock of the ${who} did not jump by ${jump}`);
  }
}
