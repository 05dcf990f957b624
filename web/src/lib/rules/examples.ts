// Defines the worked examples of the rules page, each with a deal and the played actions. The server computes the points.
import { m } from '$lib/paraglide/messages';

export interface Example {
  title: () => string;
  rules: string;
  deal: string;
  line: string;
}

const otherMates = '(7s),-,Kc,7c,Ks,Qs,Qc,Ac,Kd,Td,Tc,Th,Qd,7d,Kh,Qh,Ts,As,Ah,7h,Ad';

export const examples: Example[] = [
  { title: m.rules_ex_28, rules: 'bga', deal: '24997', line: 'Ks,As,Qd,Ad,Kh,Ah,Qs,Ts,7s,7c,7d,Kd,Kc' },
  {
    title: m.rules_ex_110,
    rules: 'bga',
    deal: '150098',
    line: 'Ks,Ts,7h,Qh,Qd,Kd,Th,Kh,7s,7c,7d,Td,Qs,Qc,Tc,Ac,As,Ad,Ah'
  },
  {
    title: m.rules_ex_32,
    rules: 'sackson',
    deal: '150393',
    line: '(Ks),-,Qh,7h,Qd,Kd,Kc,Qc,7c,7d,Td,Ad,Ah,Th,Kh'
  },
  {
    title: m.rules_ex_both,
    rules: 'sackson',
    deal: '55829',
    line: '(Ts),(Qh),Ks,As,7s,7c,Qc,Tc,Ad,Qd,Kd,Td,Ah,7h,Kc'
  },
  {
    title: m.rules_ex_242,
    rules: 'sackson',
    deal: '1165',
    line: '(7s),-,Th,Kh,Qs,Ts,7d,7c,7h,Qh,Td,Tc,Qc,Qd,Kc,Kd,Ac,As,Ah,Ad,Ah'
  },
  { title: m.rules_ex_220, rules: 'sackson', deal: '59116', line: otherMates },
  { title: m.rules_ex_220p, rules: 'pagat', deal: '59116', line: otherMates },
  { title: m.rules_ex_220p, rules: 'denexa', deal: '59116', line: otherMates },
  { title: m.rules_ex_56, rules: 'rael', deal: '37289', line: '(Ny),-,Ky,Kg,Rg,Ng,Br,Rr,Ry' },
  { title: m.rules_ex_free, rules: 'bga+free-move', deal: '20010', line: 'Tc,Ts*' },
  { title: m.rules_ex_king, rules: 'bga+kings-privilege', deal: '37047', line: 'Ks,Kc' },
  { title: m.rules_ex_figure, rules: 'bga+figure-privilege', deal: '149213', line: 'Qs,Qc' },
  {
    title: m.rules_ex_free_king,
    rules: 'bga+free-move+kings-privilege',
    deal: '16543',
    line: 'Kc,Ac*'
  },
  { title: m.rules_ex_demand, rules: 'rael+kings-privilege', deal: '37047', line: '-,-,Kg!,Kb' },
  { title: m.rules_ex_double, rules: 'bga+double', deal: '170776', line: '7c,7c' },
  {
    title: m.rules_ex_pinochle,
    rules: 'bga+pinochle',
    deal: '271288369111',
    line: '9c,9c,Kc,Qc,Kh,Ah,Ts,Ks,Qs,Ks,Js,Js,Jh,9h,Ac,Ac,Qc,Jc,Ts,As,As,Ah,9d,Td,Th,Kh,Kd,Jd,9h,9s,Qs,Qh,9s'
  }
];
