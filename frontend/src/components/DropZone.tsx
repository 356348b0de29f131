import { chakra } from '@chakra-ui/react';
import { Upload } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';

/** Handles files that are dropped anywhere over a pane. */
export function useDrop(enabled: boolean, onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0);
  const carriesFiles = (event: DragEvent) => enabled && event.dataTransfer.types.includes('Files');
  return {
    isOver: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (carriesFiles(event)) setDepth((before) => before + 1);
      },
      onDragLeave: (event: DragEvent) => {
        if (carriesFiles(event)) setDepth((before) => Math.max(0, before - 1));
      },
      onDragOver: (event: DragEvent) => {
        if (carriesFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

/** Overlays the pane while files are dragged over it. */
export function DropHint() {
  const { t } = useTranslation();
  return (
    <chakra.div
      aria-hidden
      position="absolute"
      inset="2"
      zIndex="docked"
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      gap="3"
      borderRadius="lg"
      border="2px dashed"
      borderColor="brand.fg"
      bg="bg.surface/92"
      color="brand.fg"
      textStyle="lg"
      fontWeight="semibold"
      pointerEvents="none"
    >
      <Upload size={20} />
      {t('thread.drop')}
    </chakra.div>
  );
}
