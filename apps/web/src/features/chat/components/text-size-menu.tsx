import { ALargeSmall } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import { chooseTextSize, textSizes, useTextSize } from "../state/text-size.ts";

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
