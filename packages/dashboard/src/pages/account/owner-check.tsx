import { Alert, PasswordInput, Stack, Text } from '@mantine/core';
import { useLocation } from 'react-router';
import { useRequired } from '../../api/hooks.ts';
import { confirmation } from '../../api/identity-trip.ts';
import { TextLink } from '../../ui/links.tsx';
import { IdentityButton } from '../sign-in/identity-button.tsx';

/**
 * Tells how the reader confirms a change: by the password, by a confirmation that the identity provider has just
 * given, or not yet (`nothing`).
 */
export function useOwnerCheck() {
  const { has_password } = useRequired('GET /v1/auth/me', {});
  const given = confirmation.read();
  return {
    by: has_password ? 'password' : given === null ? 'nothing' : 'confirmation',
    /** Makes the members of a body that confirm the change. */
    proof: (password: string) =>
      has_password || given === null ? { password } : { confirmation: given },
  } as const;
}

type OwnerCheckProps = Omit<React.ComponentProps<typeof PasswordInput>, 'label' | 'autoComplete'>;

/** The field for the password, or the words that it is not needed. Takes the props of the field. */
export function OwnerCheck(input: OwnerCheckProps) {
  const { by } = useOwnerCheck();
  if (by === 'password') {
    return <PasswordInput label="Your password" autoComplete="current-password" {...input} />;
  }
  return (
    <Alert color="moss" py="xs">
      You have just logged in anew, so this needs no password.
    </Alert>
  );
}

/**
 * Asks a reader without a password to log in anew at the identity provider. The reader leaves the page for that,
 * so a form must not ask for anything else before.
 */
export function ConfirmFirst() {
  const { identity_provider } = useRequired('GET /v1/auth/options', {});
  const { pathname, search } = useLocation();
  return (
    <Stack gap="sm">
      <Text size="sm">
        Your account has no password. Confirm first that it is you: log in anew, and you come back
        to this page.
      </Text>
      {identity_provider && (
        <IdentityButton name={identity_provider.name} purpose="confirm" to={pathname + search} />
      )}
      <TextLink to="/forgot-password">Set a password instead</TextLink>
    </Stack>
  );
}
