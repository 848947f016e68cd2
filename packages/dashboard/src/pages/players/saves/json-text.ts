/** The first mistake in a text that should be JSON but is not. */
export interface JsonProblem {
  /** Index of the mistake in the text. */
  at: number;
  line: number;
  column: number;
  /** The mistake in words, such as `Expected a comma`. */
  words: string;
}

/** A JSON text with other white space; all numbers, texts and names stay as they were. */
export interface JsonText {
  /** The text with a line for each member. */
  pretty: string;
  /** The text without white space between values. */
  compact: string;
}

type ReadText = { problem: JsonProblem; json: null } | { problem: null; json: JsonText };

const SPACE = /[ \t\r\n]*/y;
const TOKEN =
  // oxlint-disable-next-line no-control-regex -- JSON has no control characters in its texts.
  /[{}[\],:]|"(?:[^"\\\u0000-\u001F]+|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma' | 'end';

const WORDS: Record<Expected, string> = {
  value: 'Expected a value',
  'first value': 'Expected a value or ]',
  name: 'Expected a name in double quotes',
  'first name': 'Expected a name in double quotes or }',
  colon: 'Expected a colon after the name',
  comma: 'Expected a comma or the end',
  end: 'Expected nothing more',
};

class Mistake extends Error {
  readonly at: number;
  constructor(at: number, words: string) {
    super(words);
    this.at = at;
  }
}

/** Reads a text that should be a JSON object: returns its first mistake, or the JSON in two forms. */
export function readObjectText(text: string): ReadText {
  try {
    return { problem: null, json: rewrite(text) };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    const { at, message: words } = error;
    const before = text.slice(0, at).split('\n');
    return {
      problem: { at, line: before.length, column: before.at(-1)!.length + 1, words },
      json: null,
    };
  }
}

function rewrite(text: string): JsonText {
  const open: string[] = [];
  let pretty = '';
  let compact = '';
  let expected: Expected = 'value';
  const newLine = () => `\n${'  '.repeat(open.length)}`;
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma');

  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)![0].length;
    if (at === text.length) break;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) throw new Mistake(at, describeOdd(text, at, expected));
    if (open.length === 0 && expected === 'value' && token !== '{') {
      throw new Mistake(at, 'A save is an object: it begins with {');
    }
    const next = step(token);
    if (next === null) throw new Mistake(at, `${WORDS[expected]}, found ${shorten(token)}`);
    compact += token;
    expected = next;
    at += token.length;
  }
  if (expected !== 'end') throw new Mistake(at, `${WORDS[expected]}, found the end of the text`);
  return { pretty, compact };

  /** Writes a token. @returns what may follow the token; null when the token may not stand here. */
  function step(token: string): Expected | null {
    const isFirst = expected.startsWith('first');
    if (token === '}' || token === ']') {
      const isEnd =
        expected === 'comma' || expected === (token === '}' ? 'first name' : 'first value');
      if (!isEnd || open.at(-1) !== (token === '}' ? '{' : '[')) return null;
      open.pop();
      pretty += isFirst ? token : newLine() + token;
      return afterValue();
    }
    switch (expected) {
      case 'comma':
        if (token !== ',') return null;
        pretty += token;
        return open.at(-1) === '{' ? 'name' : 'value';
      case 'colon':
        if (token !== ':') return null;
        pretty += ': ';
        return 'value';
      case 'name':
      case 'first name':
        if (!token.startsWith('"')) return null;
        pretty += newLine() + token;
        return 'colon';
      case 'value':
      case 'first value': {
        if (token === ',' || token === ':') return null;
        if (open.at(-1) === '[') pretty += newLine();
        pretty += token;
        if (token !== '{' && token !== '[') return afterValue();
        open.push(token);
        return token === '{' ? 'first name' : 'first value';
      }
      default:
        return null;
    }
  }
}

function describeOdd(text: string, at: number, expected: Expected): string {
  const first = text[at]!;
  if (first === '"') return 'This text has no end, or a line break or unknown \\ in it';
  if (first === "'") return 'Texts and names stand in double quotes';
  const word = /[^\s,:{}[\]"]+/y;
  word.lastIndex = at;
  return `${WORDS[expected]}, found ${shorten(word.exec(text)?.[0] ?? first)}`;
}

const shorten = (token: string) => (token.length > 24 ? `${token.slice(0, 23)}…` : token);

/** Cuts the text of `data`, exactly as it is stored, out of the answer that has a version of a save. */
export function cutData(answer: string): string {
  return answer.slice(answer.indexOf('{', 1), answer.lastIndexOf(',"version":'));
}
