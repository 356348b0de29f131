import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { RouterProvider } from 'react-router';
import { Splash } from '@/components/Splash';
import { Toaster } from '@/components/Toaster';
import { queryClient } from '@/lib/queryClient';
import { system } from '@/theme';
import { router } from './router';

export function App() {
  return (
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={<Splash />}>
          <RouterProvider router={router} />
        </Suspense>
        <Toaster />
      </QueryClientProvider>
    </ChakraProvider>
  );
}
