-- The log of operators tells the end of a mute from a mute, as in SQLite.

ALTER TABLE operator_acts DROP CONSTRAINT operator_acts_act_check;
ALTER TABLE operator_acts ADD CONSTRAINT operator_acts_act_check
    CHECK (act IN ('rename', 'end', 'revoke', 'erase', 'warn', 'mute', 'unmute', 'close', 'reopen', 'settle'));
