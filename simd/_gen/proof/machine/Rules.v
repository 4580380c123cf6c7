(* The rules of package proof (simd/_gen/proof/poly.go, check.go).

   A value is a sum of terms and of what has underflowed: f = sum of phi + nu. Package proof keeps for each term the numbers c, e and
   g, and the monomial. X is the exact value of the monomial, T the product of its maxima. The invariant of a term is `holds`:
   |phi - c X| <= e T and |phi| <= g T. Each operation of poly.go keeps it; check.go then compares with the terms of the bound.
   fl(x + y) = (x + y)(1 + d) and fl(x y) = x y (1 + d) + n, |d| <= u, |n| <= eta, are lemmas of Bound.v. *)
From Coq Require Import Reals Lra Psatz List.
Import ListNotations.
Open Scope R_scope.

Record term := { c : R; e : R; g : R; X : R; T : R }.
Definition holds t phi := Rabs (X t) <= T t /\ Rabs (phi - c t * X t) <= e t * T t /\ Rabs phi <= g t * T t.

Section Rules.
Variables (u eta : R).
Hypothesis U : 0 <= u.

Definition rounded t := {| c := c t; e := e t + u * g t; g := g t * (1 + u); X := X t; T := T t |}.
Definition negated t := {| c := - c t; e := e t; g := g t; X := X t; T := T t |}.
Definition product s t :=
  {| c := c s * c t; e := e s * Rabs (c t) + Rabs (c s) * e t + e s * e t; g := g s * g t; X := X s * X t; T := T s * T t |}.
Definition merged s t := {| c := c s + c t; e := e s + e t; g := g s + g t; X := X s; T := T s |}.

Lemma T_not_negative : forall t phi, holds t phi -> 0 <= T t.
Proof. intros t phi [H _]. assert (P := Rabs_pos (X t)). lra. Qed.

Lemma sizes : forall t phi, holds t phi -> 0 <= e t * T t /\ 0 <= g t * T t.
Proof. intros t phi [_ [E G]]. assert (P := Rabs_pos (phi - c t * X t)). assert (Q := Rabs_pos phi). lra. Qed.

(* Rounding a sum or a product rounds each of its terms by the same factor. *)
Lemma rounded_holds : forall t phi d, holds t phi -> Rabs d <= u -> holds (rounded t) (phi * (1 + d)).
Proof.
  intros t phi d H D. assert (S := sizes _ _ H). destruct H as [M [E G]]. unfold holds, rounded; simpl. split; [exact M |]. split.
  - replace (phi * (1 + d) - c t * X t) with ((phi - c t * X t) + d * phi) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_mult.
    assert (Rabs d * Rabs phi <= u * (g t * T t)) by (apply Rmult_le_compat; auto using Rabs_pos). lra.
  - rewrite Rabs_mult. assert (Rabs (1 + d) <= 1 + u).
    { apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_R1. lra. }
    assert (Rabs phi * Rabs (1 + d) <= (g t * T t) * (1 + u)) by (apply Rmult_le_compat; auto using Rabs_pos). lra.
Qed.

Lemma negated_holds : forall t phi, holds t phi -> holds (negated t) (- phi).
Proof.
  intros t phi [M [E G]]. unfold holds, negated; simpl. split; [exact M |]. rewrite Rabs_Ropp. split; [| exact G].
  replace (- phi - - c t * X t) with (- (phi - c t * X t)) by ring. rewrite Rabs_Ropp. exact E.
Qed.

Lemma product_holds : forall s t phi psi, holds s phi -> holds t psi -> holds (product s t) (phi * psi).
Proof.
  intros s t phi psi Hs Ht. assert (Ss := sizes _ _ Hs). assert (St := sizes _ _ Ht).
  assert (Ps := T_not_negative _ _ Hs). assert (Pt := T_not_negative _ _ Ht).
  destruct Hs as [Ms [Es Gs]]. destruct Ht as [Mt [Et Gt]]. unfold holds, product; simpl. repeat split.
  - rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
  - replace (phi * psi - c s * c t * (X s * X t)) with
      ((phi - c s * X s) * (psi - c t * X t) + (phi - c s * X s) * (c t * X t) + c s * X s * (psi - c t * X t)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). apply Rle_trans with (1 := Rplus_le_compat_r _ _ _ (Rabs_triang _ _)).
    rewrite 5!Rabs_mult.
    assert (A : Rabs (phi - c s * X s) * Rabs (psi - c t * X t) <= e s * T s * (e t * T t))
      by (apply Rmult_le_compat; auto using Rabs_pos).
    assert (Xt : Rabs (c t) * Rabs (X t) <= Rabs (c t) * T t) by (apply Rmult_le_compat_l; auto using Rabs_pos).
    assert (Xs : Rabs (c s) * Rabs (X s) <= Rabs (c s) * T s) by (apply Rmult_le_compat_l; auto using Rabs_pos).
    assert (B : Rabs (phi - c s * X s) * (Rabs (c t) * Rabs (X t)) <= e s * T s * (Rabs (c t) * T t)).
    { apply Rmult_le_compat; auto using Rabs_pos. apply Rmult_le_pos; apply Rabs_pos. }
    assert (C : Rabs (c s) * Rabs (X s) * Rabs (psi - c t * X t) <= Rabs (c s) * T s * (e t * T t)).
    { apply Rmult_le_compat; auto using Rabs_pos. apply Rmult_le_pos; apply Rabs_pos. }
    lra.
  - rewrite Rabs_mult. assert (Rabs phi * Rabs psi <= g s * T s * (g t * T t)) by (apply Rmult_le_compat; auto using Rabs_pos). lra.
Qed.

Lemma merged_holds : forall s t phi psi, holds s phi -> holds t psi -> X t = X s -> T t = T s -> holds (merged s t) (phi + psi).
Proof.
  intros s t phi psi [Ms [Es Gs]] [Mt [Et Gt]] HX HT. unfold holds, merged; simpl. rewrite HX, HT in *. repeat split; [exact Ms | |].
  - replace (phi + psi - (c s + c t) * X s) with ((phi - c s * X s) + (psi - c t * X s)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). lra.
  - apply Rle_trans with (1 := Rabs_triang _ _). lra.
Qed.

(* What underflows, in a sum and in a product; p and q are the sums of terms, size_x bounds the computed p + nu. *)
Lemma underflow_of_sums : forall m n d um un, Rabs m <= um -> Rabs n <= un -> Rabs d <= u ->
  Rabs ((m + n) * (1 + d)) <= (um + un) * (1 + u).
Proof.
  intros m n d um un M N D. rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos.
  - apply Rle_trans with (1 := Rabs_triang _ _). lra.
  - apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_R1. lra.
Qed.

Lemma underflow_of_products : forall p q m n d k um un size_x size_y, Rabs m <= um -> Rabs n <= un -> Rabs d <= u -> Rabs k <= eta ->
  Rabs (p + m) <= size_x -> Rabs (q + n) <= size_y ->
  Rabs ((p + m) * (q + n) * (1 + d) + k - p * q * (1 + d)) <= (um * (size_y + un) + un * size_x) * (1 + u) + eta.
Proof.
  intros p q m n d k um un sx sy M N D K HX HY.
  replace ((p + m) * (q + n) * (1 + d) + k - p * q * (1 + d)) with ((m * ((q + n) + - n) + n * (p + m)) * (1 + d) + k) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat; [| exact K]. rewrite Rabs_mult.
  apply Rmult_le_compat; auto using Rabs_pos.
  - apply Rle_trans with (1 := Rabs_triang _ _). rewrite 2!Rabs_mult. apply Rplus_le_compat; apply Rmult_le_compat; auto using Rabs_pos.
    apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp. lra.
  - apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_R1. lra.
Qed.

(* The claim of a test. Each row is a term of the value with the term of the bound that covers it; the bound's monomial is the product
   of maxima itself. What the bound keeps beyond the errors, `rest`, covers what underflows. *)
Definition row := (term * R * (term * R))%type.
Definition covered share (r : row) := let '(t, phi, (b, beta)) := r in
  holds t phi /\ holds b beta /\ X b = T b /\ T t = T b /\ e t <= share * (c b - e b).
Definition value (rows : list row) := fold_right (fun r s => snd (fst r) + s) 0 rows.
Definition exact (rows : list row) := fold_right (fun r s => let t := fst (fst r) in c t * X t + s) 0 rows.
Definition bound (rows : list row) := fold_right (fun r s => snd (snd r) + s) 0 rows.

Theorem claim : forall rows share nu nb, 0 <= share <= 1 -> Forall (covered share) rows ->
  Rabs nu + Rabs nb <= (1 - share) * bound rows -> Rabs (value rows + nu - exact rows) <= bound rows + nb.
Proof.
  intros rows share nu nb S H N.
  assert (I : Rabs (value rows - exact rows) <= share * bound rows).
  { clear N. induction H as [| [[t phi] [b beta]] rows [Ht [Hb [Xb [HT E]]]] _ IH]; simpl.
    - rewrite Rminus_0_r, Rabs_R0. lra.
    - replace (phi + value rows - (c t * X t + exact rows)) with ((phi - c t * X t) + (value rows - exact rows)) by ring.
      apply Rle_trans with (1 := Rabs_triang _ _).
      assert (Tb := T_not_negative _ _ Hb). destruct Ht as [_ [Et _]]. destruct Hb as [_ [Eb _]]. rewrite Xb in Eb. rewrite HT in Et.
      assert (L : (c b - e b) * T b <= beta).
      { assert (Q := Rle_abs (- (beta - c b * T b))). rewrite Rabs_Ropp in Q. lra. }
      assert (A : e t * T b <= share * ((c b - e b) * T b)) by nra.
      assert (B : share * ((c b - e b) * T b) <= share * beta) by (apply Rmult_le_compat_l; lra). lra. }
  replace (value rows + nu - exact rows) with ((value rows - exact rows) + nu) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). assert (Q := Rle_abs (- nb)). rewrite Rabs_Ropp in Q. lra.
Qed.
End Rules.
Print Assumptions claim.
