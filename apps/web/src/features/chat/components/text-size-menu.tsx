import { ALargeSmall } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

const textSizes = ["small", "normal", "large"] as const;
type TextSize = (typeof textSizes)[number];
const stored = readStored(keys.textSize);
const size = createStore<TextSize>(textSizes.find((each) => each === stored) ?? "normal");
const show = (): void => {
  document.documentElement.dataset.textSize = size.get();
};
show();

/** Text size of the conversation; stored in this browser. */
const useTextSize = (): TextSize => useStore(size, (value) => value);
function chooseTextSize(value: TextSize): void {
  size.set(() => value);
  writeStored(keys.textSize, value);
  show();
}

/** Text size of the conversation. */
export function TextSizeMenu() {
  const { t } = useTranslation("chat");
  const size = useTextSize();
  const names = { small: t("textSmall"), normal: t("textNormal"), large: t("textLarge") };
  return (
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
  );
}
