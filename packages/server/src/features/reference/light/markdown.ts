import { html } from './html.ts';
import type { Html } from './html.ts';

const SPAN = /`([^`]+)`|\*\*([^*]+)\*\*/g;

/** Turns the spans of Markdown that the contract uses into HTML: code and bold words. */
export function toSpans(text: string): Html {
  const spans: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, bold = ''] = match;
    spans.push(html`${text.slice(end, match.index)}`);
    spans.push(code === undefined ? html`<b>${bold}</b>` : html`<code>${code}</code>`);
    end = match.index + whole.length;
  }
  spans.push(html`${text.slice(end)}`);
  return html`${spans}`;
}

/** Turns the Markdown of the contract into HTML: paragraphs, lists and headings of the second rank. */
export function toBlocks(markdown: string): Html[] {
  return markdown.split(/\n{2,}/).map((block) => {
    if (block.startsWith('## ')) return html`<h2>${toSpans(block.slice(3))}</h2>`;
    if (!block.startsWith('- ')) return html`<p>${toSpans(block)}</p>`;
    const items = block.slice(2).split('\n- ');
    return html`<ul>
      ${items.map((item) => html`<li>${toSpans(item)}</li>`)}
    </ul>`;
  });
}
