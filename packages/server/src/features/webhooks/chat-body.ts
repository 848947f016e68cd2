import { SERVICE_EVENT_LABELS } from '@overworld/contract/webhooks/event-labels';

/*
 * Slack and Discord refuse the messages of other webhooks, because they show texts alone. The host of the address
 * says that a webhook is theirs.
 */

interface ServiceMessage {
  type: string;
  data: Record<string, unknown>;
}

/** A message in words: a heading, and lines below it. */
interface Words {
  heading: string;
  lines: string[];
  /** How it is coloured. */
  tone: 'bad' | 'good' | 'neutral';
}

/** The most characters of the lines. Discord takes 4,096 in a box, and Slack 3,000. */
const MAX_TEXT = 2_500;
const MAX_HEADING = 200;

/**
 * Turns the body of a message into the form that Slack or Discord shows.
 * @returns null for the address of anybody else.
 */
export function toChatBody(url: string, body: string): string | null {
  const { hostname, pathname } = new URL(url);
  const isSlack = hostname === 'hooks.slack.com' || hostname === 'hooks.slack-gov.com';
  // The address of Discord that ends so takes the form of Slack.
  const isDiscord =
    /^((ptb|canary)\.)?discord(app)?\.com$/.test(hostname) && pathname.startsWith('/api/');
  if (!isSlack && !isDiscord) return null;
  const words = describe(JSON.parse(body) as ServiceMessage);
  const isForSlack = isSlack || pathname.endsWith('/slack');
  return JSON.stringify(isForSlack ? forSlack(words) : forDiscord(words));
}

function describe({ type, data }: ServiceMessage): Words {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '');
  const of = text('environment') === '' ? '' : ` (${text('environment')})`;
  if (type === 'alert.fired' || type === 'alert.resolved') {
    const isFired = type === 'alert.fired';
    const news = data.test === true ? 'Test of an alert' : isFired ? 'Alert' : 'Alert resolved';
    return {
      heading: `${news}: ${text('alert_name')}${of}`,
      lines: [text('rule'), text('reading')],
      tone: data.test === true ? 'neutral' : isFired ? 'bad' : 'good',
    };
  }
  const labels: Readonly<Record<string, string>> = SERVICE_EVENT_LABELS;
  return {
    heading: `${labels[type] ?? type}${of}`,
    lines: Object.entries(data)
      .filter(([name]) => name !== 'game_id' && name !== 'environment')
      .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${nameValue(value)}`),
    tone: 'neutral',
  };
}

/** Names a value: an achievement, for one, by its name. */
function nameValue(value: unknown): string {
  if (typeof value === 'string') return value;
  const { name } = Object(value) as { name?: unknown };
  return typeof name === 'string' ? name : JSON.stringify(value);
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

const EMOJI = {
  bad: ':rotating_light:',
  good: ':white_check_mark:',
  neutral: ':information_source:',
};

/** Players choose some of the texts, so nothing in them may call people or be a link. */
const escapeSlack = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, '\u200B$&')
    // Slack makes links of bare addresses too.
    .replaceAll(/:\/\/|\.(?=\p{L})/gu, '$&\u200B');

function forSlack({ heading, lines, tone }: Words) {
  const title = `${EMOJI[tone]} *${escapeSlack(cut(heading, MAX_HEADING))}*`;
  return {
    text: `${title}\n${escapeSlack(cut(lines.join('\n'), MAX_TEXT))}`,
    unfurl_links: false,
    unfurl_media: false,
  };
}

const COLORS = { bad: 0xc0_39_2b, good: 0x2e_8b_57, neutral: 0x70_80_90 };

const escapeDiscord = (text: string): string => text.replaceAll(/[\\*_~`|>#\-[\]()<@:]/g, '\\$&');

const forDiscord = ({ heading, lines, tone }: Words) => ({
  embeds: [
    {
      title: escapeDiscord(cut(heading, MAX_HEADING / 2)),
      description: escapeDiscord(cut(lines.join('\n'), MAX_TEXT / 2)),
      color: COLORS[tone],
    },
  ],
  allowed_mentions: { parse: [] },
});
