import { __iconData as arrowDown } from "lucide-react/icons/arrow-down";
import { __iconData as arrowUp } from "lucide-react/icons/arrow-up";
import { __iconData as check } from "lucide-react/icons/check";
import { __iconData as chevronDown } from "lucide-react/icons/chevron-down";
import { __iconData as copy } from "lucide-react/icons/copy";
import { __iconData as headset } from "lucide-react/icons/headset";
import { __iconData as mail } from "lucide-react/icons/mail";
import { __iconData as messageCircle } from "lucide-react/icons/message-circle";
import { __iconData as plus } from "lucide-react/icons/plus";
import { __iconData as rotateCcw } from "lucide-react/icons/rotate-ccw";
import { __iconData as search } from "lucide-react/icons/search";
import { __iconData as searchCheck } from "lucide-react/icons/search-check";
import { __iconData as sparkles } from "lucide-react/icons/sparkles";
import { __iconData as square } from "lucide-react/icons/square";
import { __iconData as x } from "lucide-react/icons/x";
import { h, type JSX } from "preact";

const icons = {
  check,
  close: x,
  copy,
  down: chevronDown,
  latest: arrowDown,
  mail,
  reset: rotateCcw,
  send: arrowUp,
  stop: square,
  // Icons for the chat button (`data-chat-icon`).
  plus,
  chatCircle: messageCircle,
  support: headset,
  search,
  search2: searchCheck,
  magic: sparkles,
};

export function Icon({ name }: { name: keyof typeof icons }): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
      {icons[name].node.map(([tag, attributes], index) => h(tag, { ...attributes, key: index }))}
    </svg>
  );
}
