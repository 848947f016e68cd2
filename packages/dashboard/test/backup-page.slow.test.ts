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

test(
  'without BACKUP_TO the page says when a command made a backup, and warns only of the bundled PostgreSQL',
  { skip: withoutBrowser },
  async (t) => {
    const stage = await openStage({ env: { WORKERS: '1' } });
    t.after(() => stage.close());
    const { token } = await stage.server.makeAccount({ is_administrator: true });
    const { page, close } = await stage.visit('/admin', { token, isAlone: true });
    const line = page.getByRole('listitem').filter({ hasText: 'BACKUP_TO is not set' });
    const show = async (changes: Record<string, string | number | null>) => {
      await page.route('**/v1/admin/stats', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), ...changes } });
      });
      await page.reload();
      await line.waitFor();
      return {
        words: await line.innerText(),
        label: await line.getByRole('img').getAttribute('aria-label'),
      };
    };
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const bundled = { disk_bytes: 1e12, disk_free_bytes: 9e11 };
    const external = { disk_bytes: null, disk_free_bytes: null };

    const never = await show(external);
    assert.match(never.words, /^The command overworld backup has made no backup yet\./);
    assert.equal(never.label, 'Note');
    assert.equal((await show(bundled)).label, 'Needs attention');
    for (const disk of [bundled, external]) {
      const recent = await show({ ...disk, last_file_backup_at: daysAgo(7) });
      assert.match(recent.words, /^The command overworld backup made the last backup .*7 days ago/);
      assert.equal(recent.label, 'Good');
    }
    assert.equal((await show({ ...external, last_file_backup_at: daysAgo(9) })).label, 'Note');
    const old = await show({ ...bundled, last_file_backup_at: daysAgo(9) });
    assert.equal(old.label, 'Needs attention');
    await close();
  },
);
