/** A mail, ready to be sent. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The content of a mail. Parts of it may come from users, such as names of games. */
export interface MailMessage {
  to: string;
  subject: string;
  paragraphs: readonly string[];
  /** The button and its link. */
  action: { label: string; url: string };
  /** Small print: the lifetime of the link, and advice for people who did not request the mail. */
  note: string;
}

/** Writes a message as plain text and as HTML. */
export function composeMail(message: MailMessage): Mail {
  const { to, action } = message;
  // If a name contained a line break, the part after it could look like our own text or like a header.
  const subject = toLine(message.subject);
  const paragraphs = message.paragraphs.map(toLine);
  const note = toLine(message.note);
  const lines = [...paragraphs, `${action.label}:\n${action.url}`, note, '-- \nOverworld'];
  const html = toHtml({ to, subject, paragraphs, action, note });
  return { to, subject, text: lines.join('\n\n'), html };
}

const toLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const MAX_NAME_CHARACTERS = 60;

/**
 * Makes a name safe for a mail, because a user has chosen it. The name is cut short, and invisible zero-width
 * spaces keep mail programs from turning it into a link.
 */
export function toPlainName(name: string): string {
  const characters = [...toLine(name)];
  const cut = characters.slice(0, MAX_NAME_CHARACTERS).join('');
  const text = characters.length > MAX_NAME_CHARACTERS ? `${cut}…` : cut;
  return text.replaceAll(/[.:/@]|www/gi, '$&\u200B');
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);

/** Writes HTML in the dashboard's light and dark colours. */
function toHtml({ subject, paragraphs, action, note }: MailMessage): string {
  const url = escapeHtml(action.url);
  const body = paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  body, .page { background: #0c1315 !important; }
  .card { background: #11191c !important; border-color: #2a373b !important; color: #dbe3e2 !important; }
  .quiet, .quiet a { color: #93a1a3 !important; }
}
</style>
</head>
<body style="margin:0;background:#f8f6f1">
<div class="page" style="background:#f8f6f1;padding:32px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div class="card" style="max-width:520px;margin:0 auto;padding:32px;background:#fffefb;border:1px solid #e7e3da;border-radius:8px;color:#211f1d">
<p style="margin:0 0 24px;font-weight:650;letter-spacing:0.02em">Overworld</p>
${body.join('\n')}
<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:10px 20px;background:#0b6f6b;border-radius:6px;color:#fffefb;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p class="quiet" style="margin:0 0 16px;font-size:14px;color:#6b665e">${escapeHtml(note)}</p>
<p class="quiet" style="margin:0;font-size:14px;color:#6b665e;overflow-wrap:anywhere">If the button does not work, open this address:<br><a href="${url}" style="color:#6b665e">${url}</a></p>
</div>
</div>
</body>
</html>
`;
}
