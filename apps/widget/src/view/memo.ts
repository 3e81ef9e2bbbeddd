import { Component, h, type FunctionComponent, type JSX } from "preact";

/** Draws again only with other properties; `preact/compat` has it too, with 4 kB besides. */
export function memo<P extends object>(Inner: FunctionComponent<P>): (props: P) => JSX.Element {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return (Object.keys(next) as (keyof P)[]).some((key) => next[key] !== this.props[key]);
    }

    override render(): JSX.Element {
      return h(Inner, this.props);
    }
  }
  return (props) => h(Memo, props);
}
