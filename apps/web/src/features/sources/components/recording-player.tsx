import { useTranslation } from "react-i18next";
import { cn } from "../../../lib/cn.ts";
import type { Player } from "../state/use-player.ts";

/** The player of a recording, with the browser's controls. */
export function RecordingPlayer({
  player,
  title,
  isVideo,
}: {
  player: Player;
  title: string;
  isVideo: boolean;
}) {
  const { t } = useTranslation("sources");
  const { attach, address, hasPicture, on } = player;
  const common = {
    src: address,
    controls: true,
    controlsList: "nodownload", // the panel downloads it under its own name
    preload: "metadata",
    "aria-label": t("player", { title }),
    ...on,
  } as const;
  return (
    <div className="flex-none border-b border-subtle px-4 py-3 max-md:px-2">
      {isVideo ? (
        <video
          {...common}
          ref={attach}
          className={cn(
            "block w-full rounded-md",
            // Sound in a container for video has controls only.
            hasPicture ? "max-h-[38dvh] bg-[#000]" : "h-13",
          )}
          playsInline
        />
      ) : (
        <audio
          {...common}
          ref={attach}
          className="block h-11 w-full [&::-webkit-media-controls-enclosure]:rounded-md [&::-webkit-media-controls-enclosure]:bg-raised"
        />
      )}
    </div>
  );
}
