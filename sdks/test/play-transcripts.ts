import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CallError } from './engine.ts';
import type { Engine, Game } from './engine.ts';
import { API_KEY, hold, startScriptedServer } from './transcript.ts';
import type { Step, Transcript } from './transcript.ts';

const folder = fileURLToPath(new URL('../transcripts/', import.meta.url));
const all = globSync('*.json', { cwd: folder }).sort();

/** Defines a test for each transcript, which plays it with the SDK. */
export function testTranscripts(engine: Engine, transcripts = all): void {
  describe(`${engine.name} and the transcripts`, { skip: engine.skip, concurrency: 2 }, () => {
    for (const file of transcripts) {
      const transcript = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Transcript;
      const skip = transcript.missing_in?.includes(engine.name) ?? false;
      test(`${basename(file, '.json')}: ${transcript.description}`, { skip }, () =>
        play(engine, transcript),
      );
    }
  });
}

async function play(engine: Engine, { options, steps }: Transcript): Promise<void> {
  const storage = await mkdtemp(join(tmpdir(), 'overworld-transcript-'));
  const server = await startScriptedServer();
  const game = await engine.start({
    base_url: server.url,
    api_key: API_KEY,
    player_id: 'p/1 ü',
    folder: storage,
    ...options,
  });
  try {
    let isRetried = false;
    for (const [index, step] of steps.entries()) {
      if (!isRetried) server.expect(step.exchanges ?? []);
      await make(game, step, `step ${index + 1}, ${step.call}`);
      if (isRetried && !step.exchanges) continue;
      server.verify();
      // After this step, the SDK tries again after 0.25 s. On a busy machine, that may be before the next
      // step begins. So the server already expects the exchanges of the next step that has some.
      isRetried = step.call === 'flush' && step.result === false;
      const next = steps.slice(index + 1).find(({ exchanges }) => exchanges);
      if (isRetried) server.expect(next?.exchanges ?? []);
    }
    server.expect([]);
  } finally {
    await game.kill();
    await server.close();
    await rm(storage, { recursive: true, force: true });
  }
}

async function make(game: Game, step: Step, at: string): Promise<void> {
  const outcome = await game.call(step.call, step.args).then(
    (result: unknown) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) {
    if (!(outcome.error instanceof CallError) || !step.error) throw outcome.error;
    const { code, status } = outcome.error;
    assert.deepEqual({ code, status }, step.error, at);
  } else {
    assert.equal(step.error, undefined, `${at} did not fail`);
    if (step.result !== undefined) hold(outcome.result, step.result, `${at}: result`, new Map());
  }
}
