import { Button } from './Button';
import { CancelButton } from './Dialog';

interface FormFooterProps {
  /** The primary action's verb. */
  submit: string;
  busy: boolean;
}

/** The buttons of a dialog that is a form. */
export function FormFooter({ submit, busy }: FormFooterProps) {
  return (
    <>
      <CancelButton />
      <Button type="submit" loading={busy}>
        {submit}
      </Button>
    </>
  );
}
