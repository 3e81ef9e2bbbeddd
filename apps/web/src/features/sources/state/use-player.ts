import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { DocumentScope } from "../api/document-text.ts";
import { recordingAddressQuery } from "../api/original-file.ts";

export interface Player {
  /** The media element's ref. */
  attach: (element: HTMLMediaElement | null) => void;
  address: string | undefined;
  /** In whole seconds. */
  now: number;
  /** null while unknown, and for recordings that don't state it. */
  duration: number | null;
  hasPicture: boolean;
  /** Whether anything has been played. */
  isStarted: boolean;
  isFailed: boolean;
  /** Without `play`, the player stays as it is, playing or paused. */
  seek: (seconds: number, play?: boolean) => void;
  speed: number;
  setSpeed: (speed: number) => void;
  on: {
    onLoadedMetadata: () => void;
    onSeeking: () => void;
    onTimeUpdate: () => void;
    onPlay: () => void;
    onError: () => void;
  };
}

/**
 * Plays a recording from its signed address, starting at `start`. The address expires after a
 * minute, and browsers request further parts of a long file later: then it is renewed, and playback
 * resumes at the same position.
 */
export function usePlayer(slug: DocumentScope, documentId: string, start: number): Player {
  const element = useRef<HTMLMediaElement>(null);
  const query = useQuery(recordingAddressQuery(slug, documentId));
  /** Where to resume once the file is loaded. */
  const next = useRef({ time: start, isPlaying: false });
  const isRenewed = useRef(false);
  const [now, setNow] = useState(start);
  const [duration, setDuration] = useState<number | null>(null);
  const [hasPicture, setHasPicture] = useState(false);
  const [isStarted, setStarted] = useState(false);
  const [isUnplayable, setUnplayable] = useState(false);

  const [speed, chooseSpeed] = useState(1);

  const attach = useCallback((media: HTMLMediaElement | null): void => {
    element.current = media;
  }, []);
  const setSpeed = useCallback((wanted: number): void => {
    chooseSpeed(wanted);
    if (!element.current) return;
    // A renewed address is played at this speed, too.
    element.current.defaultPlaybackRate = wanted;
    element.current.playbackRate = wanted;
  }, []);
  const seek = useCallback((seconds: number, wanted?: boolean): void => {
    const media = element.current;
    const play = wanted ?? media?.paused === false;
    next.current = { time: seconds, isPlaying: play };
    setNow(seconds);
    if (!media) return;
    if (media.readyState >= media.HAVE_METADATA) media.currentTime = seconds;
    // Before the file is loaded, this waits for it. Rejects if it can't be played, which `onError`
    // reports.
    if (play) void media.play().catch(() => undefined);
    else media.pause();
  }, []);
  const opened = useRef(start);
  useEffect(() => {
    if (opened.current === start) return;
    opened.current = start;
    seek(start, false);
  }, [start, seek]);

  const noteTime = (): void => {
    const media = element.current!;
    // While another address is loading, the element is at its start.
    if (isRenewed.current || media.error || media.readyState < media.HAVE_METADATA) return;
    next.current.time = media.currentTime;
    setNow(Math.floor(media.currentTime));
  };
  const on: Player["on"] = {
    onLoadedMetadata: () => {
      const media = element.current!;
      isRenewed.current = false;
      setDuration(Number.isFinite(media.duration) ? media.duration : null);
      setHasPicture(media instanceof HTMLVideoElement && media.videoWidth > 0);
      if (next.current.time > 0) media.currentTime = next.current.time;
      if (next.current.isPlaying) void media.play().catch(() => undefined);
    },
    onSeeking: noteTime,
    onTimeUpdate: noteTime,
    onPlay: () => setStarted(true),
    onError: () => {
      const isDamaged = element.current!.error?.code === MediaError.MEDIA_ERR_DECODE;
      if (isRenewed.current || isDamaged) return setUnplayable(true);
      isRenewed.current = true;
      next.current.isPlaying = !element.current!.paused;
      void query.refetch().then(({ data }) => {
        // The same address again: the element doesn't notice that it may work now.
        if (data === query.data) element.current?.load();
      });
    },
  };
  return {
    attach,
    address: query.data,
    now,
    duration,
    hasPicture,
    isStarted,
    isFailed: query.isError || isUnplayable,
    seek,
    speed,
    setSpeed,
    on,
  };
}
