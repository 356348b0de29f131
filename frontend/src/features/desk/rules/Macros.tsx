import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '@/lib/toast';
import { useStableCallback } from '@/lib/useStableCallback';
import { offerCommands } from '@/stores/commands';
import { macrosQuery, useRunMacro, useUndoMacro } from './calls';
import { MENU_KEY } from './catalogue';
import { useMacroEvents } from './events';
import { MacroPicker } from './MacroPicker';
import { MacroPreview } from './MacroPreview';
import type { Macro } from './types';
import { useAltKeys } from './useAltKeys';

const NONE: readonly Macro[] = [];

interface MacrosProps {
  /** The open ticket, if the user may act on it. */
  ticketId: number | null;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** The macros of an open conversation: Alt and M open them, Alt and the key of each one run it. */
export function Macros({ ticketId, isOpen, onOpen }: MacrosProps) {
  const { t } = useTranslation('rules');
  const { data: macros = NONE } = useQuery(macrosQuery());
  const [asked, setAsked] = useState<Macro | null>(null);
  const run = useRunMacro();
  const undo = useUndoMacro();
  useMacroEvents();

  const start = (macro: Macro) => {
    if (ticketId === null || run.isPending) return;
    run.mutate(
      { ticketId, macroId: macro.id },
      {
        onSuccess: ({ id, canUndo }) => {
          const done = t('macros.done', { name: macro.name });
          if (!canUndo) toast.success(done);
          else
            toast.undo(done, t('macros.undo'), () =>
              undo.mutate(id, {
                onSuccess: () => toast.success(t('macros.undone')),
                onError: toast.error,
              }),
            );
        },
        onError: toast.error,
        onSettled: () => setAsked(null),
      },
    );
  };
  const pick = (macro: Macro) => {
    onOpen(false);
    // The first time it shows what it will do.
    if (macro.isKnown) start(macro);
    else setAsked(macro);
  };
  const pickLater = useStableCallback(pick);
  useEffect(() => {
    const offered = ticketId === null ? [] : macros;
    offerCommands(
      offered.map((macro) => ({
        id: `macro-${macro.id}`,
        name: t('macros.command', { name: macro.name }),
        act: () => pickLater(macro),
      })),
    );
    return () => offerCommands([]);
  }, [ticketId, macros, t, pickLater]);
  useAltKeys((key) => {
    if (ticketId === null) return false;
    const macro = macros.find(({ shortcut }) => shortcut === key);
    if (key === MENU_KEY) onOpen(true);
    else if (macro) pick(macro);
    return key === MENU_KEY || macro !== undefined;
  });
  return (
    <>
      {isOpen && ticketId !== null && <MacroPicker onPick={pick} onClose={() => onOpen(false)} />}
      {asked && (
        <MacroPreview
          macro={asked}
          busy={run.isPending}
          onRun={() => start(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
