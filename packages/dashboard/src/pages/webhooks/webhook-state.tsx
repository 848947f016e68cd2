import { Badge } from '@mantine/core';
import { Ago } from '../../ui/time/moment.tsx';
import type { Webhook } from './webhook-form.tsx';

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { disabled_at, failing_since } = webhook;
  if (disabled_at) return <Badge color="gray">Disabled</Badge>;
  if (failing_since) return <Badge color="clay">Failing</Badge>;
  return <Badge color="moss">Enabled</Badge>;
}

const REASONS = {
  member: 'A member has disabled this webhook',
  failures: 'This webhook was disabled after a day without a success',
  gone: 'This webhook was disabled because it answered 410',
};

/**
 * Says why a webhook gets no messages, or why members should look at it. Returns null for a healthy webhook.
 */
export function describeTrouble({ disabled_at, disabled_reason, failing_since }: Webhook) {
  if (disabled_at) {
    return (
      <>
        {REASONS[disabled_reason ?? 'member']}, <Ago at={disabled_at} />. It gets no messages.
      </>
    );
  }
  if (failing_since === null) return null;
  return (
    <>
      Messages fail; the first one did <Ago at={failing_since} />. After 24 hours without a success
      the webhook is disabled.
    </>
  );
}
