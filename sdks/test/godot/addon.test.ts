import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { GODOT } from './project.ts';

const scripts = globSync('{addons,demo}/**/*.gd', { cwd: GODOT }).sort();
const read = (path: string) => readFileSync(join(GODOT, path), 'utf8');

test('every script is indented with tabs, and has no long lines and no white space at the end of a line', () => {
  assert.ok(scripts.length > 15);
  for (const path of scripts) {
    const text = read(path);
    for (const [index, line] of text.split('\n').entries()) {
      const isFine = /^\t*(\S.*)?$/.test(line) && !/\s$/.test(line) && line.length <= 130;
      assert.ok(isFine, `${path}:${index + 1}: ${line}`);
    }
    assert.match(text, /[^\n]\n$/, path);
  }
});

test('every script preloads only files that exist', () => {
  for (const path of scripts) {
    for (const [, file] of read(path).matchAll(/res:\/\/([\w/.]+)/g)) {
      assert.ok(read(file!).length > 0, `${path}: ${file}`);
    }
  }
});

test('every script has an id of its own, as Godot 4.4 and newer give it', () => {
  const ids = scripts.map((path) => read(`${path}.uid`));
  for (const id of ids) assert.match(id, /^uid:\/\/[a-y0-8]+\n$/);
  assert.equal(new Set(ids).size, scripts.length);
});

test('every class of the addon begins with Overworld, and every inner one says that it is internal', () => {
  const open = ['error', 'result', 'json'].map((name) => `addons/overworld/core/${name}.gd`);
  for (const path of scripts.filter((each) => /overworld\/(api|core)\//.test(each))) {
    assert.match(read(path), /^class_name Overworld[A-Z]\w*$/m, path);
    assert.doesNotMatch(read(path), /^(const \w+.*preload|class |enum )/m, path);
    const isInner = path.includes('/core/') && !open.includes(path);
    if (isInner) assert.match(read(path), /^extends RefCounted\n## Internal\. /m, path);
  }
});

test('only one script asks for the time of the device, so tests can move this clock', () => {
  const asking = scripts.filter((path) => read(path).includes('get_unix_time_from_system'));
  assert.deepEqual(asking, ['addons/overworld/core/moment.gd']);
});

test("the addon's folder is complete by itself, as the Asset Library requires", () => {
  const addon = 'addons/overworld';
  assert.match(read(`${addon}/LICENSE`), /Apache License/);
  assert.match(read(`${addon}/README.md`), /^# Overworld for Godot\n/);
  assert.match(read(`${addon}/plugin.cfg`), /^script="plugin\.gd"$/m);
  assert.match(read(`${addon}/icon.svg`), /width="128" height="128"/);
  const project = read('project.godot');
  for (const [, path] of project.matchAll(/"\*?res:\/\/([^"]+)"/g)) assert.ok(read(path!), path);
  assert.match(project, /^Overworld="\*res:\/\/addons\/overworld\/overworld\.gd"$/m);
});
