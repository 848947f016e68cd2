import { Button, Stack } from '@mantine/core';
import { wordsOf } from '../../api/failure.ts';
import { useChange } from '../../api/hooks.ts';
import { identityTrip } from '../../api/identity-trip.ts';
import { FailureText } from '../../ui/text.tsx';

/** Sends the browser to the identity provider of the installation. */
export function IdentityButton(props: {
  name: string;
  purpose: 'login' | 'confirm';
  /** The path of the page that opens afterwards. */
  to: string;
}) {
  const { name, purpose, to } = props;
  const begin = useChange('POST /v1/auth/identity/begin', { leaves: true });
  const go = () =>
    begin.mutate(
      { body: { fresh: purpose === 'confirm' } },
      {
        onSuccess({ url }) {
          identityTrip.begin({ purpose, to });
          window.location.assign(url);
        },
      },
    );
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        fullWidth
        size="md"
        onClick={go}
        loading={begin.isPending || begin.isSuccess}
      >
        {purpose === 'login' ? 'Log in' : 'Confirm'} with {name}
      </Button>
      {begin.error && <FailureText>{wordsOf(begin.error)}</FailureText>}
    </Stack>
  );
}
