import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../packages/server/test/free-port.ts';
import { Server, waitUntilReady } from '../machine/server.ts';
import { makeSmallDisk } from '../machine/small-disk.ts';
import type { SmallDisk } from '../machine/small-disk.ts';
import { createRandom } from '../random.ts';
import type { Report } from '../suite.ts';
import { Stage } from './stage.ts';

/**
 * The size of the disk. It has room for a database cluster of 50 MB, a write-ahead log of 256 MB, and some
 * load.
 */
const DISK_MB = 420;
const NOTICE_PATIENCE_MS = 30_000;

/** Repeatedly fills the disk under full load, then starts the server while the disk is read-only. */
export async function attackByDisk(
  report: Report,
  { fills, full_seconds, seed }: { fills: number; full_seconds: number; seed: number },
): Promise<void> {
  using disk = makeSmallDisk(DISK_MB);
  if (disk === null) {
    report.figure('full disk, read-only folder', 'not tried: they need root on Linux');
    return;
  }
  const random = createRandom(seed);
  const data_dir = join(disk.path, 'data');
  mkdirSync(data_dir);
  const settings = { port: await findFreePort(), data_dir };
  await using stage = await Stage.open(report, random, settings);
  const { counts } = stage;
  let ended = 0;
  let unavailable = 0;
  for (let number = 1; number <= fills; number++) {
    await stage.loadFor(300 + random.below(500), 100);
    const before = counts.unavailable;
    disk.fill();
    await sleep(full_seconds * (500 + random.below(1_000)));
    const deadline = performance.now() + NOTICE_PATIENCE_MS;
    const isNoticed = () => stage.server.has_ended || counts.unavailable > before;
    while (!isNoticed() && performance.now() < deadline) await sleep(20);
    if (stage.server.has_ended) {
      ended += 1;
      await expectExplainedEnd(report, stage.server);
    } else if (counts.unavailable === before) {
      report.violation('a full disk was not noticed');
    }
    unavailable += counts.unavailable - before;
    disk.free();
    await stage.restart();
    await waitUntilReady(stage.server.url, 30_000);
    await sleep(500);
    await stage.load.pause();
    await stage.check(`full disk ${number}`);
  }
  report.figure('times that the disk was full', fills);
  report.figure('  requests answered 503 meanwhile', unavailable);
  report.figure('  of them ended by PostgreSQL, and started again', ended);
  await startReadOnly(report, stage, disk);
  report.figure('writes acknowledged around full disks', stage.acknowledged);
}

async function expectExplainedEnd(report: Report, { said, ended }: Server): Promise<void> {
  const code = await ended;
  if (code !== 1 || !/PostgreSQL ended unexpectedly .*its log is/.test(said)) {
    report.violation(`with a full disk the server ended with ${code}: ${said}`);
  }
}

async function startReadOnly(report: Report, stage: Stage, disk: SmallDisk): Promise<void> {
  stage.load.start();
  await sleep(500);
  await stage.server.stop();
  await stage.load.pause();
  disk.setReadOnly(true);
  const { code, said } = await Server.failToStart(stage.settings);
  disk.setReadOnly(false);
  const reason = said.trim().split('\n').at(-1)!;
  report.figure('a start in a read-only folder says', reason);
  if (code !== 1 || !/^Cannot .*the data folder .*read-only.*DATA_DIR\.$/.test(reason)) {
    report.violation(`a start in a read-only folder ended with ${code}: ${said}`);
  }
  await stage.restart();
  await stage.check('a start in a read-only folder');
}
