import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Contact } from '@/features/contacts/api';
import { useShortcuts } from '@/lib/useShortcuts';
import { paths } from './paths';

// The overlays load on demand.
const CommandPalette = lazy(() =>
  import('@/features/shell/CommandPalette').then((file) => ({ default: file.CommandPalette })),
);
const ShortcutSheet = lazy(() =>
  import('@/features/shell/ShortcutSheet').then((file) => ({ default: file.ShortcutSheet })),
);
const NewTicketDialog = lazy(() =>
  import('@/features/tickets/NewTicketDialog').then((file) => ({ default: file.NewTicketDialog })),
);
const ContactDialog = lazy(() =>
  import('@/features/contacts/ContactDialog').then((file) => ({ default: file.ContactDialog })),
);

type Overlay =
  | { kind: 'palette' | 'shortcuts' }
  | { kind: 'newTicket'; contact?: Contact }
  | { kind: 'newContact'; name: string };

/** The overlays of all pages, and the shortcuts Ctrl-K and '?' that open them. */
export function useOverlays() {
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  useShortcuts({
    'mod+k': () => setOverlay({ kind: 'palette' }),
    '?': () => setOverlay({ kind: 'shortcuts' }),
  });
  return { overlay, setOverlay };
}

interface OverlaysProps {
  overlay: Overlay | null;
  setOverlay: (overlay: Overlay | null) => void;
}

export function Overlays({ overlay, setOverlay }: OverlaysProps) {
  const navigate = useNavigate();
  const close = () => setOverlay(null);
  return (
    <Suspense>
      {overlay?.kind === 'palette' && (
        <CommandPalette
          onClose={close}
          onNewTicket={() => setOverlay({ kind: 'newTicket' })}
          onContact={(contact) => setOverlay({ kind: 'newTicket', contact })}
          onShortcuts={() => setOverlay({ kind: 'shortcuts' })}
        />
      )}
      {overlay?.kind === 'shortcuts' && <ShortcutSheet onClose={close} />}
      {overlay?.kind === 'newTicket' && (
        <NewTicketDialog
          contact={overlay.contact ?? null}
          onClose={close}
          onTicket={({ uuid }) => {
            close();
            void navigate(paths.ticket(uuid));
          }}
          onCreateContact={(name) => setOverlay({ kind: 'newContact', name })}
        />
      )}
      {overlay?.kind === 'newContact' && (
        <ContactDialog
          needsNumber
          initialName={overlay.name}
          onClose={() => setOverlay({ kind: 'newTicket' })}
          onSaved={(contact) => setOverlay({ kind: 'newTicket', contact })}
        />
      )}
    </Suspense>
  );
}
