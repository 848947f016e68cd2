import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { LinkDialog } from '../../ui/link-dialog.tsx';

interface Made {
  email: string;
  link: string;
  expires_at: string;
}

/** Asks before a link to reset the password of an account is made, and then shows the link. */
export function ResetLink(props: {
  /** Null while nothing is asked. */
  account: { id: string; email: string } | null;
  onClose: () => void;
}) {
  const { account, onClose } = props;
  const make = useChange('POST /v1/admin/users/{account_id}/password-reset-link');
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <Confirm
        opened={account !== null}
        onClose={onClose}
        title="Make a link to reset the password?"
        action="Make link"
        onConfirm={async () => {
          const { id, email } = account!;
          setMade({ email, ...(await make.mutateAsync({ params: { account_id: id } })) });
        }}
      >
        Everybody who has the link can set a new password of <b>{account?.email}</b>. Make sure that
        it is the owner who asks. The audit log names you.
      </Confirm>
      <LinkDialog title="Link to reset the password" made={made} onClose={() => setMade(null)}>
        Give this link to <b>{made?.email}</b> and to nobody else.
      </LinkDialog>
    </>
  );
}
