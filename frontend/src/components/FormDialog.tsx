import type { ReactNode } from 'react';
import { Dialog, type DialogProps } from './Dialog';
import { FormFooter } from './FormFooter';

interface FormDialogProps extends Omit<DialogProps, 'open' | 'footer' | 'onSubmit'> {
  /** The primary action's verb. */
  submitLabel: string;
  busy: boolean;
  onSubmit: () => unknown;
  /** Content before the buttons. */
  beside?: ReactNode;
}

/** A dialog with a form and the buttons to cancel and submit it. */
export function FormDialog(props: FormDialogProps) {
  const { submitLabel, busy, onSubmit, beside, ...dialog } = props;
  return (
    <Dialog
      open
      {...dialog}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      footer={
        <>
          {beside}
          <FormFooter submit={submitLabel} busy={busy} />
        </>
      }
    />
  );
}
