"""How people name the joints of a figure: for each convention its tree, and the limbs that are in it."""

from dataclasses import dataclass

from tests.skeleton import figures


@dataclass(frozen=True)
class Convention:
    """A tree (see `figures.read_tree`), what "{}" stands for, and the joints of a leg, its toes and an arm."""

    tree: str
    left: str
    right: str
    leg: tuple[str, ...]
    toes: tuple[str, ...]
    arm: tuple[str, ...]

    def read(self):
        return figures.read_tree(self.tree, self.left, self.right)

    def wanted(self):
        """The names of joints and toes, by the names of limbs."""
        found = {}
        for side, word in (("left", self.left), ("right", self.right)):
            legs = tuple(name.format(word) for name in self.leg)
            found[f"{side}_leg"] = legs, tuple(name.format(word) for name in self.toes)
            found[f"{side}_arm"] = tuple(name.format(word) for name in self.arm), ()
        return found


CONVENTIONS = {
    "Mixamo": Convention(
        """
        mixamorig:Hips @ hips
          mixamorig:Spine @ belly
            mixamorig:Spine1 @ chest
              mixamorig:Neck @ neck
                mixamorig:Head @ head
                  mixamorig:HeadTop_End @ crown
              mixamorig:{}Shoulder @ +collar
                mixamorig:{}Arm @ +shoulder
                  mixamorig:{}ForeArm @ +elbow
                    mixamorig:{}Hand @ +wrist
                      mixamorig:{}HandThumb1 @ +thumb
                      mixamorig:{}HandIndex1 @ +palm
                        mixamorig:{}HandIndex2 @ +finger
                          mixamorig:{}HandIndex3 @ +fingertip
          mixamorig:{}UpLeg @ +hip
            mixamorig:{}Leg @ +knee
              mixamorig:{}Foot @ +ankle
                mixamorig:{}ToeBase @ +ball
                  mixamorig:{}Toe_End @ +toe
        """,
        "Left",
        "Right",
        ("mixamorig:{}UpLeg", "mixamorig:{}Leg", "mixamorig:{}Foot"),
        ("mixamorig:{}ToeBase", "mixamorig:{}Toe_End"),
        ("mixamorig:{}Arm", "mixamorig:{}ForeArm", "mixamorig:{}Hand"),
    ),
    "CMU": Convention(
        """
        Hips @ hips
          {0[0]}HipJoint @ hips
            {0}UpLeg @ +hip
              {0}Leg @ +knee
                {0}Foot @ +ankle
                  {0}ToeBase @ +ball
                    End Site {0} @ +toe
          LowerBack @ hips
            Spine @ belly
              Spine1 @ chest
                Neck @ chest
                  Neck1 @ neck
                    Head @ head
                {0}Shoulder @ chest
                  {0}Arm @ +shoulder
                    {0}ForeArm @ +elbow
                      {0}Hand @ +wrist
                        {0}FingerBase @ +wrist
                          {0}HandIndex1 @ +finger
                        {0[0]}Thumb @ +wrist
        """,
        "Left",
        "Right",
        ("{}UpLeg", "{}Leg", "{}Foot"),
        ("{}ToeBase", "End Site {}"),
        ("{}Arm", "{}ForeArm", "{}Hand"),
    ),
    "ASF": Convention(
        """
        root @ hips
          {}hipjoint @ hips
            {}femur @ +hip
              {}tibia @ +knee
                {}foot @ +ankle
                  {}toes @ +ball
          lowerback @ hips
            upperback @ belly
              thorax @ chest
                lowerneck @ neck
                  head @ head
                {}clavicle @ +collar
                  {}humerus @ +shoulder
                    {}radius @ +elbow
                      {}wrist @ +wrist
                        {}hand @ +palm
                          {}fingers @ +finger
                        {}thumb @ +thumb
        """,
        "l",
        "r",
        ("{}femur", "{}tibia", "{}foot"),
        ("{}toes",),
        ("{}humerus", "{}radius", "{}wrist"),
    ),
    "LAFAN1": Convention(
        """
        Hips @ hips
          {}UpLeg @ +hip
            {}Leg @ +knee
              {}Foot @ +ankle
                {}Toe @ +ball
          Spine @ belly
            Spine2 @ chest
              Neck @ neck
                Head @ head
              {}Shoulder @ +collar
                {}Arm @ +shoulder
                  {}ForeArm @ +elbow
                    {}Hand @ +wrist
        """,
        "Left",
        "Right",
        ("{}UpLeg", "{}Leg", "{}Foot"),
        ("{}Toe",),
        ("{}Arm", "{}ForeArm", "{}Hand"),
    ),
    "Unreal": Convention(
        """
        root @ ground
          ik_foot_root @ ground
            ik_foot_{} @ +ankle
          ik_hand_root @ ground
            ik_hand_gun @ ground
              ik_hand_{} @ +wrist
          pelvis @ hips
            spine_01 @ belly
              spine_02 @ chest
                neck_01 @ neck
                  head @ head
                clavicle_{} @ +collar
                  upperarm_{} @ +shoulder
                    upperarm_twist_01_{} @ +half upper arm
                    upperarm_correctiveRoot_{} @ +shoulder
                      upperarm_out_{} @ +half upper arm
                    lowerarm_{} @ +elbow
                      lowerarm_twist_01_{} @ +half forearm
                      hand_{} @ +wrist
                        index_01_{} @ +palm
                          index_02_{} @ +finger
                        thumb_01_{} @ +thumb
                        weapon_{} @ +fingertip
            thigh_{} @ +hip
              thigh_twist_01_{} @ +half thigh
              calf_{} @ +knee
                calf_twist_01_{} @ +half shin
                calf_correctiveRoot_{} @ +knee
                  calf_knee_{} @ +half thigh
                foot_{} @ +ankle
                  ball_{} @ +ball
        """,
        "l",
        "r",
        ("thigh_{}", "calf_{}", "foot_{}"),
        ("ball_{}",),
        ("upperarm_{}", "lowerarm_{}", "hand_{}"),
    ),
    "Unity": Convention(
        """
        Hips @ hips
          Spine @ belly
            Chest @ chest
              {}Shoulder @ +collar
                {}UpperArm @ +shoulder
                  {}LowerArm @ +elbow
                    {}Hand @ +wrist
                      {}IndexProximal @ +palm
              Neck @ neck
                Head @ head
          {}UpperLeg @ +hip
            {}LowerLeg @ +knee
              {}Foot @ +ankle
                {}Toes @ +ball
        """,
        "left",
        "right",
        ("{}UpperLeg", "{}LowerLeg", "{}Foot"),
        ("{}Toes",),
        ("{}UpperArm", "{}LowerArm", "{}Hand"),
    ),
    "VRM": Convention(
        """
        Root @ ground
          J_Bip_C_Hips @ hips
            J_Bip_C_Spine @ belly
              J_Bip_C_Chest @ chest
                J_Sec_{}_Bust1 @ +collar
                J_Bip_C_Neck @ neck
                  J_Bip_C_Head @ head
                    J_Adj_{}_FaceEye @ head
                J_Bip_{}_Shoulder @ +collar
                  J_Bip_{}_UpperArm @ +shoulder
                    J_Bip_{}_LowerArm @ +elbow
                      J_Bip_{}_Hand @ +wrist
                        J_Bip_{}_Index1 @ +palm
            J_Bip_{}_UpperLeg @ +hip
              J_Bip_{}_LowerLeg @ +knee
                J_Bip_{}_Foot @ +ankle
                  J_Bip_{}_ToeBase @ +ball
        """,
        "L",
        "R",
        ("J_Bip_{}_UpperLeg", "J_Bip_{}_LowerLeg", "J_Bip_{}_Foot"),
        ("J_Bip_{}_ToeBase",),
        ("J_Bip_{}_UpperArm", "J_Bip_{}_LowerArm", "J_Bip_{}_Hand"),
    ),
    "Blender": Convention(
        """
        spine @ hips
          spine.001 @ belly
            spine.003 @ chest
              spine.004 @ neck
                spine.006 @ head
              shoulder.{} @ +collar
                upper_arm.{} @ +shoulder
                  forearm.{} @ +elbow
                    hand.{} @ +wrist
                      palm.01.{} @ +palm
              breast.{} @ +collar
          pelvis.{} @ hips
          thigh.{} @ +hip
            shin.{} @ +knee
              foot.{} @ +ankle
                toe.{} @ +ball
                heel.02.{} @ +heel
        """,
        "L",
        "R",
        ("thigh.{}", "shin.{}", "foot.{}"),
        ("toe.{}",),
        ("upper_arm.{}", "forearm.{}", "hand.{}"),
    ),
    "Rigify": Convention(
        """
        root @ ground
          MCH-torso.parent @ ground
            torso @ hips
              ORG-spine @ hips
                ORG-thigh.{} @ +hip
                  ORG-shin.{} @ +knee
                    ORG-foot.{} @ +ankle
                      ORG-toe.{} @ +ball
                ORG-shoulder.{} @ +collar
                  ORG-upper_arm.{} @ +shoulder
                    ORG-forearm.{} @ +elbow
                      ORG-hand.{} @ +wrist
          DEF-spine @ hips
            DEF-spine.001 @ chest
              DEF-shoulder.{} @ +collar
                DEF-upper_arm.{} @ +shoulder
                  DEF-upper_arm.{}.001 @ +half upper arm
                    DEF-forearm.{} @ +elbow
                      DEF-forearm.{}.001 @ +half forearm
                        DEF-hand.{} @ +wrist
                          DEF-f_index.01.{} @ +finger
            DEF-pelvis.{} @ hips
            DEF-thigh.{} @ +hip
              DEF-thigh.{}.001 @ +half thigh
                DEF-shin.{} @ +knee
                  DEF-shin.{}.001 @ +half shin
                    DEF-foot.{} @ +ankle
                      DEF-toe.{} @ +ball
          MCH-thigh_ik.{} @ +hip
            thigh_ik.{} @ +hip
              MCH-shin_ik.{} @ +knee
                MCH-foot_ik.{} @ +ankle
          foot_ik.{} @ +ankle
            foot_heel_ik.{} @ +heel
          hand_ik.{} @ +wrist
        """,
        "L",
        "R",
        ("DEF-thigh.{}", "DEF-shin.{}", "DEF-foot.{}"),
        ("DEF-toe.{}",),
        ("DEF-upper_arm.{}", "DEF-forearm.{}", "DEF-hand.{}"),
    ),
    "SMPL": Convention(
        """
        Pelvis @ hips
          {}_Hip @ +hip
            {}_Knee @ +knee
              {}_Ankle @ +ankle
                {}_Foot @ +ball
          Spine1 @ belly
            Spine2 @ chest
              Neck @ neck
                Head @ head
              {}_Collar @ +collar
                {}_Shoulder @ +shoulder
                  {}_Elbow @ +elbow
                    {}_Wrist @ +wrist
                      {}_Hand @ +finger
        """,
        "L",
        "R",
        ("{}_Hip", "{}_Knee", "{}_Ankle"),
        ("{}_Foot",),
        ("{}_Shoulder", "{}_Elbow", "{}_Wrist"),
    ),
    "SMPL-X": Convention(
        """
        pelvis @ hips
          {}_hip @ +hip
            {}_knee @ +knee
              {}_ankle @ +ankle
                {}_foot @ +ball
          spine1 @ belly
            spine3 @ chest
              neck @ neck
                head @ head
                  {}_eye_smplhf @ head
              {}_collar @ +collar
                {}_shoulder @ +shoulder
                  {}_elbow @ +elbow
                    {}_wrist @ +wrist
                      {}_index1 @ +palm
                        {}_index2 @ +finger
                      {}_thumb1 @ +thumb
        """,
        "left",
        "right",
        ("{}_hip", "{}_knee", "{}_ankle"),
        ("{}_foot",),
        ("{}_shoulder", "{}_elbow", "{}_wrist"),
    ),
    "Bip01": Convention(
        """
        Bip01 @ hips
          Bip01 Footsteps @ ground
          Bip01 Pelvis @ hips
            Bip01 Spine @ belly
              Bip01 Spine1 @ chest
                Bip01 Neck @ neck
                  Bip01 Head @ head
                    Bip01 HeadNub @ crown
                  Bip01 {} Clavicle @ +collar
                    Bip01 {} UpperArm @ +shoulder
                      Bip01 {}UpArmTwist @ +half upper arm
                      Bip01 {} Forearm @ +elbow
                        Bip01 {} ForeTwist @ +half forearm
                        Bip01 {} Hand @ +wrist
                          Bip01 {} Finger0 @ +thumb
                          Bip01 {} Finger1 @ +finger
                            Bip01 {} Finger1Nub @ +fingertip
            Bip01 {} Thigh @ +hip
              Bip01 {} Calf @ +knee
                Bip01 {} Foot @ +ankle
                  Bip01 {} Toe0 @ +ball
                    Bip01 {} Toe0Nub @ +toe
        """,
        "L",
        "R",
        ("Bip01 {} Thigh", "Bip01 {} Calf", "Bip01 {} Foot"),
        ("Bip01 {} Toe0", "Bip01 {} Toe0Nub"),
        ("Bip01 {} UpperArm", "Bip01 {} Forearm", "Bip01 {} Hand"),
    ),
    "Xsens": Convention(
        """
        Pelvis @ hips
          L5 @ belly
            T8 @ chest
              Neck @ neck
                Head @ head
              {}Shoulder @ +collar
                {}UpperArm @ +shoulder
                  {}ForeArm @ +elbow
                    {}Hand @ +wrist
          {}UpperLeg @ +hip
            {}LowerLeg @ +knee
              {}Foot @ +ankle
                {}Toe @ +ball
        """,
        "Left",
        "Right",
        ("{}UpperLeg", "{}LowerLeg", "{}Foot"),
        ("{}Toe",),
        ("{}UpperArm", "{}ForeArm", "{}Hand"),
    ),
    "Kinect": Convention(
        """
        SpineBase @ hips
          SpineMid @ belly
            SpineShoulder @ chest
              Neck @ neck
                Head @ head
              Shoulder{} @ +shoulder
                Elbow{} @ +elbow
                  Wrist{} @ +wrist
                    Hand{} @ +palm
                      HandTip{} @ +finger
                    Thumb{} @ +thumb
          Hip{} @ +hip
            Knee{} @ +knee
              Ankle{} @ +ankle
                Foot{} @ +ball
        """,
        "Left",
        "Right",
        ("Hip{}", "Knee{}", "Ankle{}"),
        ("Foot{}",),
        ("Shoulder{}", "Elbow{}", "Wrist{}"),
    ),
    "OpenNI": Convention(
        """
        torso @ hips
          neck @ neck
            head @ head
            {}_shoulder @ +shoulder
              {}_elbow @ +elbow
                {}_hand @ +wrist
          {}_hip @ +hip
            {}_knee @ +knee
              {}_foot @ +ankle
        """,
        "left",
        "right",
        ("{}_hip", "{}_knee", "{}_foot"),
        (),
        ("{}_shoulder", "{}_elbow", "{}_hand"),
    ),
    "DAZ": Convention(
        """
        hip @ hips
          pelvis @ hips
            {}ThighBend @ +hip
              {}ThighTwist @ +half thigh
                {}Shin @ +knee
                  {}Foot @ +ankle
                    {}Metatarsals @ +ball
                      {}Toe @ +toe
          abdomenLower @ belly
            chestLower @ chest
              neckLower @ neck
                head @ head
              {}Collar @ +collar
                {}ShldrBend @ +shoulder
                  {}ShldrTwist @ +half upper arm
                    {}ForearmBend @ +elbow
                      {}ForearmTwist @ +half forearm
                        {}Hand @ +wrist
                          {}Index1 @ +finger
        """,
        "l",
        "r",
        ("{}ThighBend", "{}Shin", "{}Foot"),
        ("{}Metatarsals", "{}Toe"),
        ("{}ShldrBend", "{}ForearmBend", "{}Hand"),
    ),
    "MotionBuilder": Convention(
        """
        Actor:Reference @ ground
          Actor:Hips @ hips
            Actor:Spine @ belly
              Actor:Spine1 @ chest
                Actor:Neck @ neck
                  Actor:Head @ head
                Actor:{}Shoulder @ +collar
                  Actor:{}Arm @ +shoulder
                    Actor:{}ArmRoll @ +half upper arm
                      Actor:{}ForeArm @ +elbow
                        Actor:{}ForeArmRoll @ +half forearm
                          Actor:{}Hand @ +wrist
            Actor:{}UpLeg @ +hip
              Actor:{}UpLegRoll @ +half thigh
                Actor:{}Leg @ +knee
                  Actor:{}LegRoll @ +half shin
                    Actor:{}Foot @ +ankle
                      Actor:{}ToeBase @ +ball
        """,
        "Left",
        "Right",
        ("Actor:{}UpLeg", "Actor:{}Leg", "Actor:{}Foot"),
        ("Actor:{}ToeBase",),
        ("Actor:{}Arm", "Actor:{}ForeArm", "Actor:{}Hand"),
    ),
    "feet that hang from the root": Convention(
        """
        Root @ ground
          Body @ hips
            Chest @ chest
              Head @ head
              UpperArm.{} @ +shoulder
                LowerArm.{} @ +elbow
                  LowerArm.{}_end @ +wrist
            UpperLeg.{} @ +hip
              LowerLeg.{} @ +knee
                LowerLeg.{}_end @ +ankle
          Foot.{} @ +ankle
            Toe.{} @ +ball
        """,
        "L",
        "R",
        ("UpperLeg.{}", "LowerLeg.{}", "LowerLeg.{}_end"),
        (),
        ("UpperArm.{}", "LowerArm.{}", "LowerArm.{}_end"),
    ),
    "numbers": Convention(
        """
        torso_joint_1 @ hips
          torso_joint_2 @ belly
            torso_joint_3 @ chest
              neck_joint_1 @ neck
              arm_joint_{}_1 @ +shoulder
                arm_joint_{}_2 @ +elbow
                  arm_joint_{}_3 @ +wrist
          leg_joint_{}_1 @ +hip
            leg_joint_{}_2 @ +knee
              leg_joint_{}_3 @ +ankle
                leg_joint_{}_5 @ +ball
        """,
        "L",
        "R",
        ("leg_joint_{}_1", "leg_joint_{}_2", "leg_joint_{}_3"),
        ("leg_joint_{}_5",),
        ("arm_joint_{}_1", "arm_joint_{}_2", "arm_joint_{}_3"),
    ),
}
