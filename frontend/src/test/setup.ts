import { cleanup, configure } from '@testing-library/react';
import type { Resource } from 'i18next';
import { afterEach } from 'vitest';
import type { StoreApi } from 'zustand';
import { useChatOutbox } from '@/features/chat/outbox';
import { useSpeed } from '@/features/messages/content/playing';
import { useNotes } from '@/features/messages/notes/drafts';
import { useOutbox } from '@/features/messages/outbox';
import { useListFocus } from '@/features/tickets/listFocus';
import { startI18n } from '@/i18n';
import { useDesktop } from '@/lib/desktop';
import { queryClient } from '@/lib/queryClient';
import { toaster } from '@/lib/toast';
import { useBadges } from '@/stores/badges';
import { useConnection } from '@/stores/connection';
import { useSession } from '@/stores/session';
import { useUnsent } from '@/stores/unsent';

// Tests wait for a condition; on a busy machine that may take long.
configure({ asyncUtilTimeout: 10_000 });

// The test DOM has no layout: no element is hidden, resized or scrolled to.
Object.assign(Element.prototype, { checkVisibility: () => true, scrollIntoView() {} });
Object.assign(globalThis, {
  CSS: { escape: (text: string) => text },
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  IntersectionObserver: class {
    observe() {}
    disconnect() {}
  },
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
});

function reset<State>(store: StoreApi<State>) {
  store.setState(store.getInitialState(), true);
}

const files = import.meta.glob<Record<string, unknown>>('../i18n/*/*.json', {
  eager: true,
  import: 'default',
});

const resources: Resource = {};
for (const [path, texts] of Object.entries(files)) {
  const [, language, namespace] = /\/(\w+)\/([\w-]+)\.json$/.exec(path) ?? [];
  if (language && namespace) (resources[language] ??= {})[namespace] = texts;
}
await startI18n(resources);

// Test files of a worker share modules: reset their state before each file.
reset(useBadges);
reset(useChatOutbox);
reset(useConnection);
reset(useDesktop);
reset(useListFocus);
reset(useNotes);
reset(useOutbox);
reset(useSession);
reset(useUnsent);
reset(useSpeed);
reset((await import('@/stores/ui')).useUi);
queryClient.clear();
toaster.remove();
sessionStorage.clear();
document.body.replaceChildren();
window.history.replaceState(null, '', '/');

afterEach(() => {
  cleanup();
  localStorage.clear();
});
