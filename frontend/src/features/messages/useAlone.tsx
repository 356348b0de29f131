import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import type { Writers } from './writers';

/**
 * Sends only after the user has seen who else is writing to the contact; `whenAlone` asks once for
 * each of them. `onStay` is called when the user does not send.
 */
export function useAlone(writers: Writers, onStay: () => void) {
  const { t } = useTranslation('messages');
  const known = useRef(new Set<number>());
  const [asked, setAsked] = useState<{ writers: Writers; run: () => void } | null>(null);
  const whenAlone = (run: () => void) => {
    const unknown = writers.filter(({ writer }) => !known.current.has(writer.id));
    if (unknown.length === 0) run();
    else setAsked({ writers: unknown, run });
  };
  const question = (
    <ConfirmDialog
      open={asked !== null}
      onClose={() => {
        setAsked(null);
        onStay();
      }}
      onConfirm={() => {
        for (const { writer } of asked?.writers ?? []) known.current.add(writer.id);
        setAsked(null);
        asked?.run();
      }}
      title={t('writing.askTitle', {
        names: asked?.writers.map(({ writer }) => writer.name).join(', '),
        count: asked?.writers.length ?? 1,
      })}
      confirmLabel={t('writing.askSend')}
      calm
    >
      {t('writing.askText')}
    </ConfirmDialog>
  );
  return { whenAlone, question };
}
