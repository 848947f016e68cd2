-- Path and query of a webhook's address may hold a secret: the audit log keeps the host alone.
UPDATE audit_log
SET target = regexp_replace(target, '^(https?://[^/]*/).+$', '\1…'),
    details = CASE WHEN details ? 'url' THEN jsonb_set(details, '{url}', '"changed"') ELSE details END
WHERE action IN ('create_webhook', 'update_webhook', 'rotate_webhook_secret', 'delete_webhook',
                 'test_webhook', 'retry_webhook_delivery');
