import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createRuntime, GODOT, SCRIPTS as scripts } from './gdscript/runtime.ts';
import { loadParser } from './gdscript/parser.ts';
import type { SyntaxNode } from './gdscript/parser.ts';

const parser = loadParser();

test('a parser of GDScript is installed on CI', { skip: !process.env.CI }, () => {
  assert.notEqual(parser, null);
});

describe('the scripts of the Godot addon', { skip: parser ? false : 'no parser' }, () => {
  test('every script parses, and uses only declared names', () => {
    assert.ok(scripts.length > 15);
    const runtime = createRuntime();
    for (const path of scripts) {
      const source = parser!.parse(readFileSync(join(GODOT, path), 'utf8')).rootNode;
      assert.deepEqual(listErrors(source), [], path);
      runtime.load(`res://${path}`);
    }
  });

  test('every script is indented with tabs, and has no long lines and no white space at the end of a line', () => {
    for (const path of scripts) {
      const text = readFileSync(join(GODOT, path), 'utf8');
      for (const [index, line] of text.split('\n').entries()) {
        const isFine = /^\t*(\S.*)?$/.test(line) && !/\s$/.test(line) && line.length <= 130;
        assert.ok(isFine, `${path}:${index + 1}: ${line}`);
      }
      assert.match(text, /[^\n]\n$/, path);
    }
  });

  test('every script preloads only files that exist', () => {
    for (const path of scripts) {
      for (const [, file] of readFileSync(join(GODOT, path), 'utf8').matchAll(
        /res:\/\/([\w/.]+)/g,
      )) {
        assert.ok(readFileSync(join(GODOT, file!)).length > 0, `${path}: ${file}`);
      }
    }
  });
});

function listErrors(node: SyntaxNode): string[] {
  const here =
    node.isError || node.isMissing ? [`${node.startPosition.row + 1}: ${node.text}`] : [];
  return [...here, ...node.children.flatMap(listErrors)];
}
