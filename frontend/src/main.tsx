import '@fontsource-variable/inter';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '@/app/App';
import { resumeSession, watchSession } from '@/features/session/api';
import { startI18n } from '@/i18n';
import { watchFocus } from '@/lib/focus';
import { keepOfflineNotice } from '@/lib/offline';
import { watchVersion } from '@/lib/outdated';
import { applyColourMode, currentColourMode } from '@/theme/colourMode';

applyColourMode(currentColourMode());
watchSession();
watchFocus();
watchVersion();
keepOfflineNotice();
void resumeSession();
await startI18n();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
