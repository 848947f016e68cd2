import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStage, withoutBrowser } from './browser.ts';

test(
  'the page of administration says when the last backup was made, or why none was',
  { skip: withoutBrowser },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'overworld-backups-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const missing = join(folder, 'missing');
    const stage = await openStage({
      env: { BACKUP_TO: missing, BACKUP_EVERY: '12h', WORKERS: '1' },
    });
    t.after(() => stage.close());
    const { token } = await stage.server.makeAccount({ is_administrator: true });
    const { page, close } = await stage.visit('/admin', { token });
    const line = page.getByRole('listitem').filter({ hasText: 'The last try failed' });
    await line.waitFor();
    const words = await line.innerText();
    assert.match(
      words,
      /^No backup in BACKUP_TO was made yet\. The server makes one every 12 h in /,
    );
    assert.match(
      words,
      /The last try failed: Cannot use the folder .+ \(there is no such folder\)/,
    );
    await close();
  },
);
