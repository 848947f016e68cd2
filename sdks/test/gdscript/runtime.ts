// Loads the scripts of the Godot addon, translated into JavaScript, and provides the functions they call.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as engine from './engine.ts';
import { loadParser } from './parser.ts';
import { translate } from './translate.ts';
import * as values from './values.ts';
import type { Value } from './values.ts';

export const GODOT = fileURLToPath(new URL('../../godot/', import.meta.url));
const PREFIX = 'res://';

type Script = Value;

/** Paths of the scripts that have a `class_name`. */
const classNames = new Map<string, string>();
export const SCRIPTS = globSync('{addons,demo}/**/*.gd', { cwd: GODOT }).sort();
/** The autoload of the addon. */
const AUTOLOAD = 'Overworld';
for (const path of SCRIPTS) {
  const name = /^class_name (\w+)/m.exec(readFileSync(join(GODOT, path), 'utf8'))?.[1];
  if (name) classNames.set(name, PREFIX + path);
}

const parser = loadParser();
const translations = new Map<string, string>();

function translateFile(path: string): string {
  const text = readFileSync(join(GODOT, path.slice(PREFIX.length)), 'utf8');
  return translate(parser!.parse(text).rootNode, path, {
    isInherited: (base, name) => name in engine.globals[base].prototype,
    isGlobal: (name) =>
      name === 'preload' ||
      name === AUTOLOAD ||
      Object.hasOwn(engine.globals, name) ||
      classNames.has(name),
  });
}

/**
 * Makes the object that is named `$` in the translated scripts. Each game has its own object and classes.
 * @param own Global names of the engine, with the values that only this game sees.
 */
export function createRuntime(own: { [name: string]: Value } = {}) {
  const classes = new Map<string, Script>();

  const load = (path: string): Script => {
    const loaded = [...classes.values()].find((each) => each.$path === path);
    if (loaded) return loaded;
    const script = translations.get(path) ?? translateFile(path);
    translations.set(path, script);
    // oxlint-disable-next-line no-implied-eval -- the addon's own scripts
    return new Function('$', script)($);
  };

  const fail = (what: string): never => {
    throw new TypeError(what);
  };

  const $ = {
    ...values,
    classes,
    load,
    base: (name: string) => engine.globals[name],
    signal: () => new engine.Signal(),
    dictionary: (pairs: [Value, Value][]) => new values.Dictionary(pairs),
    callable: (object: Value, name: string) => ({ call: object[name].bind(object) }),
    global: (name: string) => {
      if (name === 'preload') return load;
      if (Object.hasOwn(own, name)) return own[name];
      if (Object.hasOwn(engine.globals, name)) return engine.globals[name];
      return classes.get(name) ?? load(classNames.get(name)!);
    },
    truth: (value: Value) =>
      value instanceof values.Dictionary
        ? value.map.size > 0
        : Array.isArray(value)
          ? value.length > 0
          : Boolean(value),
    negate: (value: Value) => -value,
    add: (a: Value, b: Value) =>
      typeof a === 'string' && typeof b === 'string'
        ? a + b
        : values.calculate(
            a,
            b,
            (x, y) => x + y,
            (x, y) => x + y,
          ),
    subtract: (a: Value, b: Value) =>
      values.calculate(
        a,
        b,
        (x, y) => x - y,
        (x, y) => x - y,
      ),
    multiply: (a: Value, b: Value) =>
      values.calculate(
        a,
        b,
        (x, y) => x * y,
        (x, y) => x * y,
      ),
    divide: (a: Value, b: Value) =>
      values.calculate(
        a,
        b,
        (x, y) => x / y,
        (x, y) => x / y,
      ),
    modulo: (a: Value, b: Value) =>
      typeof a === 'string'
        ? values.format(a, b)
        : values.calculate(
            a,
            b,
            (x, y) => x % y,
            () => fail('% is for ints'),
          ),
    isLess: (a: Value, b: Value) => values.compare(a, b) < 0,
    isGreater: (a: Value, b: Value) => values.compare(a, b) > 0,
    isType: (value: Value, type: string) => isType(value, type),
    iterate: (value: Value) =>
      value instanceof values.Dictionary ? [...value.map.keys()] : [...value],
    index(object: Value, key: Value) {
      if (Array.isArray(object)) {
        const place = Number(key) < 0 ? object.length + Number(key) : Number(key);
        return place < object.length ? object[place] : fail(`index ${key} is out of bounds`);
      }
      const { map } = object as values.Dictionary;
      return map.has(key) ? map.get(key) : fail(`the dictionary has no ${key}`);
    },
    setIndex(object: Value, key: Value, value: Value) {
      if (Array.isArray(object)) object[Number(key)] = value;
      else (object as values.Dictionary).map.set(key, value);
    },
    get: (object: Value, name: string) =>
      object !== null && name in object
        ? object[name]
        : fail(`${values.str(object)} has no ${name}`),
    set(object: Value, name: string, value: Value) {
      if (!(name in object)) fail(`there is no ${name} to set`);
      const type = object.constructor.$types?.[name];
      object[name] = type ? values.typed(value, type) : value;
    },
    call(object: Value, name: string, given: Value[]) {
      if (name === 'new') return make(object, given);
      const methods = values.methodsOf(object);
      if (methods) {
        return methods[name]
          ? (methods[name](object, ...given) ?? null)
          : fail(`no method ${name}`);
      }
      if (typeof object?.[name] !== 'function') fail(`${values.str(object)} has no method ${name}`);
      return object[name](...given) ?? null;
    },
    wait: (value: Value) => (value instanceof engine.Signal ? value.next() : value),
    checkArguments(given: number, least: number, most: number, place: string) {
      if (given < least || given > most) fail(`${place}: called with ${given} arguments`);
    },
  };

  const make = (type: Script, given: Value[]) => {
    const made = new type();
    made.$prepare?.();
    made['_init']?.(...given);
    return made;
  };

  return { load, make };
}

function isType(value: Value, type: string): boolean {
  switch (type) {
    case 'int':
      return typeof value === 'bigint';
    case 'float':
      return typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    case 'String':
      return typeof value === 'string';
    case 'Array':
      return Array.isArray(value) && !(value instanceof values.PackedStringArray);
    case 'PackedStringArray':
      return value instanceof values.PackedStringArray;
    case 'Dictionary':
      return value instanceof values.Dictionary;
    case 'Callable':
      return typeof value?.call === 'function' && !(value instanceof engine.RefCounted);
    case 'Vector2':
      return value instanceof engine.Vector2 && !(value instanceof engine.Vector3);
    case 'Vector3':
      return value instanceof engine.Vector3;
    case 'Color':
      return value instanceof engine.Color;
    default:
      return false;
  }
}
