import { ALargeSmall, Mic } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { toast } from "../../../lib/toast.ts";
import { chooseTextSize, textSizes, useTextSize } from "../state/text-size.ts";

const isHeard = "SpeechRecognition" in globalThis || "webkitSpeechRecognition" in globalThis;

/** Text size of the conversation, and dictation if the browser supports speech recognition. */
export function TextTools({
  text,
  onWords,
}: {
  text: string;
  /** The words heard so far, and the field's text from before. */
  onWords: (words: string, before: string) => void;
}) {
  const { t } = useTranslation("chat");
  const size = useTextSize();
  const [listening, setListening] = useState(false);
  const stop = useRef<(() => void) | null>(null);
  const latestOnWords = useRef(onWords);
  useEffect(() => {
    latestOnWords.current = onWords;
  }, [onWords]);
  useEffect(() => () => stop.current?.(), []);
  const listen = async (): Promise<void> => {
    if (stop.current) return stop.current();
    setListening(true);
    const before = text;
    const { dictate } = await import("../state/dictation.ts");
    stop.current = dictate({
      words: (words) => latestOnWords.current(words, before),
      problem: (problem) =>
        toast.error(
          { denied: t("micDenied"), missing: t("micMissing"), failed: t("micFailed") }[problem],
        ),
      end: () => {
        stop.current = null;
        setListening(false);
      },
    });
  };
  const names = { small: t("textSmall"), normal: t("textNormal"), large: t("textLarge") };
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("textSize")}>
            <ALargeSmall />
          </IconButton>
        }
        items={textSizes.map((each) => ({
          label: names[each],
          icon: ALargeSmall,
          checked: each === size,
          run: () => chooseTextSize(each),
        }))}
      />
      {isHeard && (
        <IconButton
          label={listening ? t("micStop") : t("mic")}
          aria-pressed={listening}
          onClick={() => void listen()}
        >
          <Mic />
        </IconButton>
      )}
    </>
  );
}
