import {
  ArrowDown,
  ArrowUp,
  Check,
  ChevronDown,
  Copy,
  Headset,
  Mail,
  MessageCircle,
  Plus,
  RotateCcw,
  Search,
  SearchCheck,
  Sparkles,
  Square,
  X,
} from "lucide";
import { h, type JSX } from "preact";

const icons = {
  check: Check,
  close: X,
  copy: Copy,
  down: ChevronDown,
  latest: ArrowDown,
  mail: Mail,
  reset: RotateCcw,
  send: ArrowUp,
  stop: Square,
  // Icons for the chat button (`data-chat-icon`).
  plus: Plus,
  chatCircle: MessageCircle,
  support: Headset,
  search: Search,
  search2: SearchCheck,
  magic: Sparkles,
};

export function Icon({ name }: { name: keyof typeof icons }): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
      {icons[name].map(([tag, attributes], index) => h(tag, { ...attributes, key: index }))}
    </svg>
  );
}
