import { chakra } from '@chakra-ui/react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readFrame } from './reading';

const LOOK_MS = 250;

/** Shows the camera's picture until it contains a QR code. */
export function Camera({ onRead }: { onRead: (code: string) => void }) {
  const { t } = useTranslation('simulator');
  const video = useRef<HTMLVideoElement>(null);
  const [refused, setRefused] = useState(false);
  const tell = useEffectEvent(onRead);

  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer = 0;
    let over = false;
    const look = async () => {
      const code = video.current && (await readFrame(video.current));
      if (over) return;
      if (code) tell(code);
      else timer = window.setTimeout(() => void look(), LOOK_MS);
    };
    const begin = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'environment' },
        });
      } catch {
        setRefused(true);
        return;
      }
      if (video.current) video.current.srcObject = stream;
      if (over) stop();
      else void look();
    };
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    void begin();
    return () => {
      over = true;
      window.clearTimeout(timer);
      stop();
    };
  }, []);

  if (refused) {
    return (
      <chakra.p textStyle="sm" color="status.danger.fg" role="alert">
        {t('devices.noCamera')}
      </chakra.p>
    );
  }
  return (
    <chakra.video
      ref={video}
      autoPlay
      muted
      playsInline
      aria-label={t('devices.camera')}
      w="full"
      maxH="64"
      borderRadius="lg"
      bg="bg.subtle"
    />
  );
}
