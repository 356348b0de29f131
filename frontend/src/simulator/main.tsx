import '@fontsource-variable/inter';
import { ChakraProvider } from '@chakra-ui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster } from '@/components/Toaster';
import { Tooltips } from '@/components/Tooltips';
import { startI18n } from '@/i18n';
import { system } from '@/theme';
import { applyColourMode, currentColourMode } from '@/theme/colourMode';
import { SimulatorPage } from './SimulatorPage';

applyColourMode(currentColourMode());
await startI18n();

const root = document.getElementById('root');
if (!root) throw new Error('simulator.html has no #root');
createRoot(root).render(
  <StrictMode>
    <ChakraProvider value={system}>
      <QueryClientProvider client={new QueryClient()}>
        <Suspense fallback={null}>
          <SimulatorPage />
        </Suspense>
        <Toaster />
        <Tooltips />
      </QueryClientProvider>
    </ChakraProvider>
  </StrictMode>,
);
