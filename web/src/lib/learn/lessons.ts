// Lists the lessons with their texts, in the order for a beginner. Positions and replies come from the
// server.
import { m } from '$lib/paraglide/messages';
import type { DecisionKind } from './run.svelte';

/**
 * Texts of one part of a lesson: the goal in a few words, the task, the explanation of a wrong action, and the idea
 * of the right action. Goal, task and explanation belong to the first decision of the part.
 */
export interface PartTexts {
  goal: () => string;
  task: () => string;
  wrong: () => string;
  right: () => string;
}

export interface LessonTexts {
  id: string;
  title: () => string;
  parts: PartTexts[];
}

export interface Group {
  title: () => string;
  lessons: LessonTexts[];
}

export const groups: Group[] = [
  {
    title: m.learn_rules,
    lessons: [
      {
        id: 'suit',
        title: m.learn_suit,
        parts: [
          {
            goal: m.learn_suit_goal,
            task: m.learn_suit_task,
            wrong: m.learn_suit_wrong,
            right: m.learn_suit_right
          }
        ]
      },
      {
        id: 'rank',
        title: m.learn_rank,
        parts: [
          {
            goal: m.learn_rank_goal,
            task: m.learn_rank_task,
            wrong: m.learn_rank_wrong,
            right: m.learn_rank_right
          }
        ]
      },
      {
        id: 'mate',
        title: m.learn_mate,
        parts: [
          {
            goal: m.learn_mate_goal,
            task: m.learn_mate_task,
            wrong: m.learn_mate_wrong,
            right: m.learn_mate_right
          }
        ]
      },
      {
        id: 'score',
        title: m.learn_score,
        parts: [
          {
            goal: m.learn_score_goal,
            task: m.learn_score_task,
            wrong: m.learn_score_wrong,
            right: m.learn_score_right
          }
        ]
      },
      {
        id: 'exchange',
        title: m.learn_exchange,
        parts: [
          {
            goal: m.learn_exchange_goal,
            task: m.learn_exchange_task,
            wrong: m.learn_exchange_wrong,
            right: m.learn_exchange_right
          },
          {
            goal: m.learn_exchange_goal_2,
            task: m.learn_exchange_task_2,
            wrong: m.learn_exchange_wrong_2,
            right: m.learn_exchange_right_2
          }
        ]
      },
      {
        id: 'foreplace',
        title: m.learn_foreplace,
        parts: [
          {
            goal: m.learn_foreplace_goal,
            task: m.learn_foreplace_task,
            wrong: m.learn_foreplace_wrong,
            right: m.learn_foreplace_right
          }
        ]
      },
      {
        id: 'overmate',
        title: m.learn_overmate,
        parts: [
          {
            goal: m.learn_overmate_goal,
            task: m.learn_overmate_task,
            wrong: m.learn_overmate_wrong,
            right: m.learn_overmate_right
          }
        ]
      }
    ]
  },
  {
    title: m.learn_craft,
    lessons: [
      {
        id: 'count',
        title: m.learn_count,
        parts: [
          {
            goal: m.learn_count_goal,
            task: m.learn_count_task,
            wrong: m.learn_count_wrong,
            right: m.learn_count_right
          }
        ]
      },
      {
        id: 'keep',
        title: m.learn_keep,
        parts: [
          {
            goal: m.learn_keep_goal,
            task: m.learn_keep_task,
            wrong: m.learn_keep_wrong,
            right: m.learn_keep_right
          }
        ]
      },
      {
        id: 'wait',
        title: m.learn_wait,
        parts: [
          {
            goal: m.learn_wait_goal,
            task: m.learn_wait_task,
            wrong: m.learn_wait_wrong,
            right: m.learn_wait_right
          }
        ]
      },
      {
        id: 'lengths',
        title: m.learn_lengths,
        parts: [
          {
            goal: m.learn_lengths_goal,
            task: m.learn_lengths_task,
            wrong: m.learn_lengths_wrong,
            right: m.learn_lengths_right
          }
        ]
      },
      {
        id: 'lead',
        title: m.learn_lead,
        parts: [
          {
            goal: m.learn_lead_goal,
            task: m.learn_lead_task,
            wrong: m.learn_lead_wrong,
            right: m.learn_lead_right
          }
        ]
      },
      {
        id: 'aside',
        title: m.learn_aside,
        parts: [
          {
            goal: m.learn_aside_goal,
            task: m.learn_aside_task,
            wrong: m.learn_aside_wrong,
            right: m.learn_aside_right
          }
        ]
      }
    ]
  },
  {
    title: m.learn_variations,
    lessons: [
      {
        id: 'double',
        title: m.learn_double,
        parts: [
          {
            goal: m.learn_double_goal,
            task: m.learn_double_task,
            wrong: m.learn_double_wrong,
            right: m.learn_double_right
          }
        ]
      },
      {
        id: 'free',
        title: m.learn_free,
        parts: [
          {
            goal: m.learn_free_goal,
            task: m.learn_free_task,
            wrong: m.learn_free_wrong,
            right: m.learn_free_right
          }
        ]
      },
      {
        id: 'privilege',
        title: m.learn_privilege,
        parts: [
          {
            goal: m.learn_privilege_goal,
            task: m.learn_privilege_task,
            wrong: m.learn_privilege_wrong,
            right: m.learn_privilege_right
          }
        ]
      },
      {
        id: 'hidden',
        title: m.learn_hidden,
        parts: [
          {
            goal: m.learn_hidden_goal,
            task: m.learn_hidden_task,
            wrong: m.learn_hidden_wrong,
            right: m.learn_hidden_right
          }
        ]
      },
      {
        id: 'demand',
        title: m.learn_demand,
        parts: [
          {
            goal: m.learn_demand_goal,
            task: m.learn_demand_task,
            wrong: m.learn_demand_wrong,
            right: m.learn_demand_right
          }
        ]
      },
      {
        id: 'pinochle',
        title: m.learn_pinochle,
        parts: [
          {
            goal: m.learn_pinochle_goal,
            task: m.learn_pinochle_task,
            wrong: m.learn_pinochle_wrong,
            right: m.learn_pinochle_right
          }
        ]
      }
    ]
  }
];

/** All lessons, in the order in which a beginner takes them. */
export const lessons: LessonTexts[] = groups.flatMap((group) => group.lessons);

/**
 * Goal, task and reply to a wrong action for the second and later decisions in a lesson part. They replace the
 * part's own texts, which describe its first decision.
 */
const LATER = { goal: () => '', task: m.learn_later_task, wrong: m.learn_later_wrong };

/** Returns the texts of a lesson part for a decision of the given kind. */
export function textsAt(part: PartTexts, decision: DecisionKind): PartTexts {
  if (decision === 'first') return part;
  return { ...part, ...LATER, ...(decision === 'forced' && { task: m.learn_forced_task }) };
}
