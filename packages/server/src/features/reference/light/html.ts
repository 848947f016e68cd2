/** A piece of HTML, whose texts are escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toText(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter]!);
}

/** Makes HTML of a template, in which all values but HTML are escaped. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(
    texts.map((text, index) => (index === 0 ? '' : toText(parts[index - 1]!)) + text).join(''),
  );

export const NOTHING = new Html('');
