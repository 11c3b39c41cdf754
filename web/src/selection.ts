// Which round is pointed at? One answer for all charts: what is hovered in one is marked in every other that shows rounds. A click
// holds the round until it is let go.

export class Selection {
  round: number | null = null;
  held = false;
  private readonly listeners = new Set<() => void>();

  /** Pointing does not move a round that is held. */
  hover(round: number | null): void {
    if (!this.held) this.show(round);
  }

  /** Holds the round; a second time lets it go. */
  hold(round: number | null): void {
    this.held = round !== null && !(this.held && this.round === round);
    this.show(round, true);
  }

  release(): void {
    this.held = false;
    this.show(null);
  }

  /** By `step` rounds, for the keyboard; held, so that a resting mouse does not take it away. */
  move(step: number, count: number): void {
    if (count === 0) return;
    const next = this.round === null ? (step > 0 ? 0 : count - 1) : Math.min(count - 1, Math.max(0, this.round + step));
    this.held = true;
    this.show(next, true);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private show(round: number | null, always = false): void {
    if (round === this.round && !always) return;
    this.round = round;
    for (const listener of this.listeners) listener();
  }
}
