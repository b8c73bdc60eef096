/**
 * S63. W1's commands to a majority are held up on the way, and its connections there break. Its attempt is lost and
 * undone, on new connections, where nothing is found; and the nodes would still execute what comes on the old ones.
 * So W1 has each node end its old connection first (CLIENT KILL), and undoes then. Who takes a broken connection
 * for one that has ended leaves keys for nobody.
 *
 * Times: 0 W1 asks, and what it sends to C, D and E takes 800 ms; 40 these connections break, and W1 has lost; by 300 it
 * has ended them; 820 W2 comes by, and is granted at once.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { granted } from "../../harness/scenario/story-parts.ts";
import { GHOST_SETTINGS, type GhostStory, ghostStory, setOnEach } from "./ghost-story.ts";

const ENDED: GhostStory = { id: "S63", breaks: true, comesToPass: () => [granted("W2")] };
const LATE: GhostStory = { ...ENDED, comesToPass: setOnEach };

export const lateSet = defineScenario({
  id: "S63",
  title: "Late SET behind its undo",
  summary:
    "W1's connections to C, D and E break with its commands on their way. It ends them on the nodes, and then it undoes.",
  settings: GHOST_SETTINGS,
  story: (settings) => ghostStory(settings, ENDED),
  variants: [
    {
      name: "plain",
      summary: "The old connections are ended on the nodes before the undo.",
      expect: {},
    },
    {
      name: "undo-without-kill",
      summary:
        "Nobody ends the old connections, and what is found missing is believed: keys are set for nobody.",
      strategy: "mutant:undo-without-kill",
      story: (settings) => ghostStory(settings, LATE),
      // W2 gives up: nobody ever holds the lock, so that nothing can be said of holders.
      expect: { hygiene: "invalid", declared: "any", actual: "any", danger: "any" },
    },
  ],
});
