import type { Exchange } from './exchange.ts';

const POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' https: data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data: https: http:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  // Mantine sets CSS variables in style attributes.
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
].join(';');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/**
 * Sets the security headers of a page of the dashboard or the API reference. API answers need none,
 * because no browser renders JSON as a page.
 */
export function setPageHeaders(exchange: Exchange, public_url: string): void {
  for (const [name, value] of Object.entries(HEADERS)) exchange.setHeader(name, value);
  if (public_url.startsWith('https:')) {
    exchange.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains');
  }
}
