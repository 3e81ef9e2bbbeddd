import type { JSX, Ref } from "preact";
import type { ChatIcon } from "../config/read-config.ts";
import { useWords } from "../words/words-context.ts";
import { Icon } from "./icon.tsx";

interface LauncherProps {
  icon: ChatIcon;
  isOpen: boolean;
  /** An answer was completed while the chat was closed. */
  isUnread: boolean;
  onClick: () => void;
  elementRef: Ref<HTMLButtonElement>;
}

export function Launcher(props: LauncherProps): JSX.Element {
  const words = useWords();
  const { isOpen, isUnread } = props;
  const label = isOpen ? words.close : words.open;
  return (
    <button
      type="button"
      class="launcher"
      ref={props.elementRef}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={isUnread ? `${label} (${words.newAnswer})` : label}
      onClick={props.onClick}
    >
      <Icon name={isOpen ? "down" : props.icon} />
      {isUnread && <span class="dot" />}
    </button>
  );
}
