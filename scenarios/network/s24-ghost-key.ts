/**
 * S24. W1's commands to a majority are held up on the way, and its connections there break. Its attempt is lost and
 * undone, on new connections; and then the old commands arrive and set keys for nobody. Order holds on one
 * connection only, and these nodes do not let W1 end its old ones.
 *
 * Times: 0 W1 asks, and what it sends to C, D and E takes 800 ms; 40 these connections break, and
 * W1 has lost; 802 C, D and E set its keys; 820 W2 comes by.
 *
 * The undo is repeated on the new connection for as long as the old command may still come. Where the connection stands,
 * the delete goes right behind what it takes back. Nobody is let in who should not be: a ghost costs availability.
 */
import { defineScenario } from "../../harness/scenario/define-scenario.ts";
import { GHOST_SETTINGS, type GhostStory, ghostStory, setOnEach } from "./ghost-story.ts";

const BREAKING: GhostStory = { id: "S24", breaks: true, comesToPass: setOnEach };
const STANDING: GhostStory = { ...BREAKING, breaks: false };

export const ghostKey = defineScenario({
  id: "S24",
  title: "Command that arrives behind its undo",
  summary:
    "What W1 sends to C, D and E is held up, its connections break, it undoes on new ones, and then the old commands arrive.",
  settings: { ...GHOST_SETTINGS, endsConnections: false },
  story: (settings) => ghostStory(settings, BREAKING),
  variants: [
    {
      name: "plain",
      summary: "The undo is repeated until the old command cannot come any more.",
      expect: {},
    },
    {
      name: "same-connection",
      summary: "The connections stand, and each delete arrives right behind what it takes back.",
      story: (settings) => ghostStory(settings, STANDING),
      expect: {},
    },
    {
      name: "undo-only-yes-votes",
      summary: "Who had not answered is not undone: its key is set when nobody wants it any more.",
      strategy: "mutant:undo-only-yes-votes",
      story: (settings) => ghostStory(settings, STANDING),
      // W2 gives up: nobody ever holds the lock, so that nothing can be said of holders.
      expect: { hygiene: "invalid", declared: "any", actual: "any", danger: "any" },
    },
  ],
});
